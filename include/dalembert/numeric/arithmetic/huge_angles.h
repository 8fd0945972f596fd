/* Angles beyond 1e9 as multiples of a right angle (Payne and Hanek), on one double: an angle is
   m 2^e with an integer m below 2^53, so that of the digits of 2/pi few matter. */

/* Some whole numbers of 32 binary digits, the lowest first. */
DALEMBERT_DOUBLE_FUNCTION
unsigned long long digits_at(const unsigned long long* numbers, int position) {
  const int whole = position / 32, rest = position % 32;
  const unsigned long long two = (numbers[whole + 1] << 32) | numbers[whole];
  return (two >> rest) & 0xffffffffULL;
}

/* The number of right angles next to x, modulo 4 (of the three parts the first), and what x has
   beyond them, as a fraction of one in two parts, to a relative error of 2^-58. For |x| >= 2^23;
   nan from inf and nan. */
DALEMBERT_DOUBLE_FUNCTION
double part_of_turn(double x, int wanted) {
  /* 2/pi in digits of 32 bits after the point. */
  static const unsigned two_over_pi_digits[37] = {
      0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
      0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
      0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
      0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
      0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046};
  unsigned long long bits = 0, product[10] = {0}, fraction[4];
  double part[4];
  if (!(x - x == 0.0)) return x - x;
  DALEMBERT_LIBRARY(memcpy)(&bits, &x, sizeof bits);
  const unsigned long long m = (bits & 0xfffffffffffffULL) | 0x10000000000000ULL;
  const int exponent = (int)((bits >> 52) & 0x7ffU) - 1075;
  /* Digits before the first are multiples of 2 pi; after seven nothing is left that matters. */
  const int first = exponent < 2 ? 0 : (exponent - 2) / 32;
  for (int half = 0; half < 2; ++half) {
    const unsigned long long factor = half == 0 ? m & 0xffffffffULL : m >> 32;
    unsigned long long carry = 0;
    for (int i = 0; i < 7; ++i) {
      const unsigned long long digit = two_over_pi_digits[first + 6 - i];
      const unsigned long long sum = factor * digit + product[i + half] + carry;
      product[i + half] = sum & 0xffffffffULL;
      carry = sum >> 32;
    }
    product[7 + half] = carry;
  }
  /* The point stands so many digits from the end. */
  const int point = 32 * (first + 7) - exponent;
  const unsigned long long whole = digits_at(product, point);
  for (int i = 0; i < 4; ++i) fraction[i] = digits_at(product, point - 32 * (i + 1));
  /* Beyond a half the next right angle is nearer: 1 - f, but for 2^-128. */
  const int beyond = fraction[0] >= 0x80000000ULL;
  const double sign = x < 0.0 ? -1.0 : 1.0, sign_of_rest = beyond ? -sign : sign;
  if (wanted == 0) return sign * (double)(int)((whole + (unsigned long long)beyond) & 3U);
  double size = 0x1p-32;
  for (int i = 0; i < 4; ++i) {
    part[i] = (double)(long long)(beyond ? 0xffffffffULL - fraction[i] : fraction[i]) * size;
    size = size * 0x1p-32;
  }
  const double two = part[0] + part[1], lost = (part[0] - two) + part[1];
  const double three = two + part[2], lost_too = (two - three) + part[2];
  const double rest = (lost + lost_too) + part[3], sum = three + rest;
  return sign_of_rest * (wanted == 1 ? sum : (three - sum) + rest);
}

DALEMBERT_DOUBLE_FUNCTION
double right_angles_in_huge(double x) { return part_of_turn(x, 0); }

DALEMBERT_DOUBLE_FUNCTION
double high_turn_of_huge(double x) { return part_of_turn(x, 1); }

DALEMBERT_DOUBLE_FUNCTION
double low_turn_of_huge(double x) { return part_of_turn(x, 2); }
