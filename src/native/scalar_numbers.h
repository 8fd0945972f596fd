/* What C on one double has in the place of packs and lanes. */

DALEMBERT_FUNCTION
Word to_word(Number x) {
  Word word;
  memcpy(&word, &x, sizeof word);
  return word;
}

DALEMBERT_FUNCTION
Bits to_bits(Number x) {
  Bits bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

DALEMBERT_FUNCTION
Number to_real(Word word) {
  Number x;
  memcpy(&x, &word, sizeof x);
  return x;
}

DALEMBERT_FUNCTION
Number real_of_bits(Bits bits) {
  Number x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

DALEMBERT_FUNCTION
Number broadcast_as(Number pack, double value) {
  (void)pack;
  return value;
}

/* Comparisons as words of all ones or zero. */
DALEMBERT_FUNCTION
Word less(Number a, Number b) { return a < b ? -1 : 0; }

DALEMBERT_FUNCTION
Word equal(Number a, Number b) { return a == b ? -1 : 0; }

DALEMBERT_FUNCTION
Number pack_select(Word mask, Number a, Number b) { return mask ? a : b; }

DALEMBERT_FUNCTION
Number select(Mask mask, Number a, Number b) { return mask ? a : b; }

DALEMBERT_FUNCTION
int any(Mask mask) { return mask; }

DALEMBERT_FUNCTION
int all(Mask mask) { return mask; }

DALEMBERT_FUNCTION
Mask negation(Mask mask) { return !mask; }

DALEMBERT_FUNCTION
int rarely(int condition) { return condition; }

DALEMBERT_FUNCTION
int pack_any(Word mask) { return mask != 0; }

DALEMBERT_FUNCTION
Number pack_repaired(Number y, Number x, Word where, double (*f)(double)) {
  return where ? f(x) : y;
}

DALEMBERT_FUNCTION
Number pack_sqrt(Number x) { return DALEMBERT_LIBRARY(sqrt)(x); }
