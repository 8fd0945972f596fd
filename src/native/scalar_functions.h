/* What on lanes goes pack by pack. */

DALEMBERT_FUNCTION
Number reduced_sin(Number x) { return sin_cos(x).sine; }

DALEMBERT_FUNCTION
Number reduced_cos(Number x) { return sin_cos(x).cosine; }
