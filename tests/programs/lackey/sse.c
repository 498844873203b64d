/* SPDX-License-Identifier: GPL-2.0-or-later
 * Vector instructions: aligned and unaligned, parts of a register, non-temporal, masked. */
#include <emmintrin.h>

static float numbers[64] __attribute__((aligned(16)));
static char bytes[33] __attribute__((aligned(16)));

static void scale(float by) {
  for (int i = 0; i < 64; i += 4) _mm_store_ps(numbers + i, _mm_mul_ps(_mm_load_ps(numbers + i), _mm_set1_ps(by)));
}

static void shift(void) {
  for (int i = 0; i < 32; i += 16)
    _mm_storeu_si128((__m128i*)(bytes + 1 + i), _mm_loadu_si128((const __m128i*)(bytes + i)));
}

static void parts(void) {
  _mm_storel_pd((double*)numbers, _mm_loadh_pd(_mm_load_sd((double*)numbers), (double*)numbers + 1));
  _mm_store_ss(numbers + 5, _mm_sqrt_ss(_mm_load_ss(numbers + 4)));
  _mm_stream_si128((__m128i*)bytes, _mm_setzero_si128());
  _mm_maskmoveu_si128(_mm_set1_epi8('m'), _mm_set_epi32(-1, 0, -1, 0), bytes);
}

int main(void) {
  for (int i = 0; i < 64; i++) numbers[i] = (float)i;
  scale(2);
  shift();
  parts();
  return numbers[63] == 126 && bytes[4] == 'm' && bytes[0] == 0 ? 0 : 1;
}
