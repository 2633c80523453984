// Vectors of the widest kind that the compiler has been told of, 64 bytes with AVX-512 and 32 with AVX2, and the few operations
// that vector extensions do not spell.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#ifdef __AVX512F__
constexpr int BYTES = 64;
#else
constexpr int BYTES = 32;
#endif
constexpr int LANES = BYTES / 4;

using Ints = int32_t __attribute__((vector_size(BYTES), may_alias));
using Words = uint32_t __attribute__((vector_size(BYTES), may_alias));
using Floats = float __attribute__((vector_size(BYTES), may_alias));
using Doubles = double __attribute__((vector_size(BYTES), may_alias));
using Longs = int64_t __attribute__((vector_size(BYTES), may_alias));

template <class Vector, class Cell>
inline Vector& at(Cell* p) {
  return *reinterpret_cast<Vector*>(p);
}

template <class Vector, class Cell>
inline const Vector& at(const Cell* p) {
  return *reinterpret_cast<const Vector*>(p);
}

#ifdef __AVX512F__
inline Ints magnitude(Ints x) { return Ints(_mm512_abs_epi32(__m512i(x))); }
inline Floats larger(Floats a, Floats b) { return Floats(_mm512_max_ps(__m512(a), __m512(b))); }
inline Floats floats(Ints x) { return Floats(_mm512_cvtepi32_ps(__m512i(x))); }
// Sums of two products of 16-bit integers, a lane each.
inline Ints dot(Ints a, Ints b) { return Ints(_mm512_madd_epi16(__m512i(a), __m512i(b))); }
inline Words evenProducts(Words a, Words b) { return Words(_mm512_mul_epu32(__m512i(a), __m512i(b))); }
inline Words oddDown(Words a) { return Words(_mm512_srli_epi64(__m512i(a), 32)); }
inline Words evenUp(Words a) { return Words(_mm512_slli_epi64(__m512i(a), 32)); }
inline Words evenOdd(Words even, Words odd) { return Words(_mm512_mask_blend_epi32(0xaaaa, __m512i(even), __m512i(odd))); }
#else
inline Ints magnitude(Ints x) { return Ints(_mm256_abs_epi32(__m256i(x))); }
inline Floats larger(Floats a, Floats b) { return Floats(_mm256_max_ps(__m256(a), __m256(b))); }
inline Floats floats(Ints x) { return Floats(_mm256_cvtepi32_ps(__m256i(x))); }
inline Ints dot(Ints a, Ints b) { return Ints(_mm256_madd_epi16(__m256i(a), __m256i(b))); }
inline Words evenProducts(Words a, Words b) { return Words(_mm256_mul_epu32(__m256i(a), __m256i(b))); }
inline Words oddDown(Words a) { return Words(_mm256_srli_epi64(__m256i(a), 32)); }
inline Words evenUp(Words a) { return Words(_mm256_slli_epi64(__m256i(a), 32)); }
inline Words evenOdd(Words even, Words odd) { return Words(_mm256_blend_epi32(__m256i(even), __m256i(odd), 0xaa)); }
#endif

// Philox4x32-10 over LANES counters side by side.
struct Philox {
  Words c0, c1, c2, c3;
};

inline void rounds(Philox& p, uint64_t seed) {
  uint32_t k0 = uint32_t(seed), k1 = uint32_t(seed >> 32);
  const Words m0 = Words{} + 0xd2511f53u, m1 = Words{} + 0xcd9e8d57u;
#pragma GCC unroll 10
  for (int round = 0; round < 10; round++, k0 += 0x9e3779b9u, k1 += 0xbb67ae85u) {
    const Words even0 = evenProducts(p.c0, m0), odd0 = evenProducts(oddDown(p.c0), m0);
    const Words even1 = evenProducts(p.c2, m1), odd1 = evenProducts(oddDown(p.c2), m1);
    const Words high0 = evenOdd(oddDown(even0), odd0), low0 = evenOdd(even0, evenUp(odd0));
    const Words high1 = evenOdd(oddDown(even1), odd1), low1 = evenOdd(even1, evenUp(odd1));
    p.c0 = high1 ^ p.c1 ^ k0;
    p.c1 = low1;
    p.c2 = high0 ^ p.c3 ^ k1;
    p.c3 = low0;
  }
}

inline Words counting() {
  Words w;
  for (int i = 0; i < LANES; i++) w[i] = uint32_t(i);
  return w;
}

// floor(word x n / 2^32) in every lane.
inline Words scaled(Words w, uint32_t n) {
  const Words by = Words{} + n;
  return evenOdd(oddDown(evenProducts(w, by)), evenProducts(oddDown(w), by));
}
