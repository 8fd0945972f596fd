/* Judging Newton's iteration, and steps. */

/* Newton's iteration of one group of unknowns, after its pass number `pass` from 0 on: whether the
   largest correction is below round-off of the largest increment, or the next one will be, as
   corrections shrink quadratically with a new matrix, and by the same factor with one that is kept.
   What is left has a sign of its own and would add up over a million steps, so it must be far below
   round-off; over more steps even the error of the last correction does, and where sums are
   compensated the iteration goes on until there is nothing to correct. */
DALEMBERT_GENERIC_FUNCTION
DALEMBERT_TYPE(mask_of)
correction_is_small(Number correction, Number previous, Number increment, int pass, int is_new,
                    int compensated, Number round_off) {
  const Number units = Number(compensated ? 4.0 : 1.0);
  DALEMBERT_TYPE(mask_of) done = correction <= units * round_off * increment;
  if (pass > 0 && !compensated) {
    const Number ratio = correction / previous,
                 next = is_new ? correction * ratio * ratio : correction * ratio;
    const DALEMBERT_TYPE(mask_of) shrinks = ratio < Number(0.01);
    done = done | (shrinks & (next <= Number(0x1p-12) * round_off * increment));
  }
  return done;
}

/* Whether another pass with the same matrix is better than one with a new matrix: by a new one
   the point has moved little, measured by its increment; one that is kept has made the correction
   far smaller than the previous one. At a point where nothing has moved yet the matrix may be far
   from that of the solution: quotients of differences have no limit there. */
DALEMBERT_GENERIC_FUNCTION
DALEMBERT_TYPE(mask_of) matrix_is_good(Number correction, Number measure) {
  return correction <= Number(0x1p-8) * measure;
}

/* Sweeps of a fixed point, whose changes shrink by about the same factor: whether the next change
   will be far below the round-off of the largest number, for the reason above; where changes shrink
   unevenly, whether this one is; where sums are compensated, whether nothing has changed. */
DALEMBERT_GENERIC_FUNCTION
DALEMBERT_TYPE(mask_of)
sweep_is_small(Number change, Number previous, Number size, Number is_uneven, int compensated,
               Number round_off) {
  DALEMBERT_TYPE(mask_of) done = change <= Number(0.0);
  if (!compensated) {
    const Number least = Number(0x1p-6) * round_off * size;
    const DALEMBERT_TYPE(mask_of) shrinks = change <= Number(0.25) * previous,
                                  even = is_uneven <= Number(0.0),
                                  uneven = is_uneven > Number(0.0);
    done = done | (even & shrinks & (change * change <= least * previous));
    done = done | (uneven & (change <= least));
  }
  return done;
}

/* Whether a sweep has not even halved the change. One alone does not say that sweeps are slow:
   errors of several stages shrink in turn, and grow for as many sweeps as there are stages. */
DALEMBERT_GENERIC_FUNCTION
DALEMBERT_TYPE(mask_of) sweep_stalls(Number change, Number previous) {
  return negation(change <= Number(0.5) * previous);
}

/* Whether the largest change of some sweeps is no longer much smaller than that of as many before
   them. */
DALEMBERT_GENERIC_FUNCTION
DALEMBERT_TYPE(mask_of) sweeps_are_slow(Number largest, Number largest_before, Number slowest) {
  return negation(largest <= slowest * largest_before);
}

/* Whether corrections no longer shrink. */
DALEMBERT_GENERIC_FUNCTION
DALEMBERT_TYPE(mask_of) correction_stalls(Number correction, Number previous) {
  return correction / previous >= Number(0.5);
}

/* Whether a correction that no longer shrinks is the round-off of the unknowns, whose scale is
   given. */
DALEMBERT_GENERIC_FUNCTION
DALEMBERT_TYPE(mask_of) is_round_off(Number correction, Number scale, Number round_off) {
  return correction <= Number(128.0) * round_off * scale;
}

/* Whether unknowns and their correction are nothing at all beside the scale of the state. Where the
   solution is zero both shrink together, and the correction is never small beside its unknown. */
DALEMBERT_GENERIC_FUNCTION
DALEMBERT_TYPE(mask_of) is_nothing(Number larger, Number scale, Number round_off) {
  return larger <= Number(0x1p-64) * round_off * scale;
}

/* Whether changes of sweeps that no longer shrink may be round-off that the rates enlarge, as where
   a mass is nearly singular: sweeps that had come so far shrink the changes by half or more, and
   what is left is no slow convergence. */
DALEMBERT_GENERIC_FUNCTION
DALEMBERT_TYPE(mask_of) may_be_round_off(Number change, Number scale, Number round_off) {
  return change <= Number(8192.0) * round_off * scale;
}

/* Whether sweeps of which that is true have settled: the change is as large as the one before. */
DALEMBERT_GENERIC_FUNCTION
DALEMBERT_TYPE(mask_of) sweeps_have_settled(Number change, Number previous) {
  return change >= Number(0.9) * previous;
}

/* Zero for finite x, nan otherwise. */
DALEMBERT_PACK_FUNCTION
Number zero_if_finite(Number x) { return x - x; }

/* The time after a number of steps. */
DALEMBERT_GENERIC_FUNCTION
Number time_after(Number start, unsigned long long steps, Number step_size) {
  return start + Number((double)steps) * step_size;
}

/* The size of step number k, which differs from h in its last digits.
   Products with one and the same h round with a bias: 0.1 times a number on the grid of doubles
   falls on five places between two of them, and over 1e7 steps the bias is a linear drift. With
   units in the last place from -16 to 16, in the order of the golden section, it averages out, and
   the time stays. Step 0 is h itself. */
DALEMBERT_GENERIC_FUNCTION
Number varied_step(Number h, unsigned long long k, Number round_off) {
  const unsigned long long golden = 0x9e3779b97f4a7c15ULL, half = 1ULL << 63;
  const unsigned long long place = (((k * golden + half) >> 32) * 33) >> 32;
  const Number units = Number((double)place - 16.0);
  return h + units * (round_off * h);
}
