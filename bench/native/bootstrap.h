// Bootstrap draws: values, ranks, intervals of differences.
#pragma once

#include <algorithm>
#include <cmath>

#include "design.h"

// How often a draw takes each cluster: a pair of clusters of a stratum is one 32-bit word, as `dot` wants it.
struct Pairs {
  std::vector<int> starts, place;  // first pair of each stratum; 16-bit place of each cluster
  explicit Pairs(const Design& d) : starts(d.strata + 1, 0), place(d.clusters) {
    for (int s = 0; s < d.strata; s++) {
      for (int c = d.starts[s]; c < d.starts[s + 1]; c++) place[c] = 2 * starts[s] + c - d.starts[s];
      starts[s + 1] = starts[s] + (d.starts[s + 1] - d.starts[s] + 1) / 2;
    }
  }
};

inline void count_attempt(const Design& d, const Pairs& pairs, uint32_t attempt, uint32_t draw, uint64_t seed, int16_t* counts) {
  const uint32_t n = uint32_t(d.clusters);
  alignas(64) uint32_t words[4 * LANES];
  std::memset(counts, 0, size_t(pairs.starts.back()) * 4);
  for (int first = 0; first * 4 < d.clusters; first += LANES) {
    Philox p = {counting() + (uint32_t(first) + (attempt << 22)), Words{} + draw, Words{}, Words{}};
    rounds(p, seed);
    at<Words>(words) = scaled(p.c0, n);
    at<Words>(words + LANES) = scaled(p.c1, n);
    at<Words>(words + 2 * LANES) = scaled(p.c2, n);
    at<Words>(words + 3 * LANES) = scaled(p.c3, n);
    if ((first + LANES) * 4 <= d.clusters) {
      for (int i = 0; i < 4 * LANES; i++) counts[pairs.place[words[i]]]++;
    } else {
      for (int i = 0; i < LANES; i++)
        for (int j = 0; j < 4 && (first + i) * 4 + j < d.clusters; j++) counts[pairs.place[words[j * LANES + i]]]++;
    }
  }
}

// Counts of a draw, made again until every stratum holds a task; the tasks of each stratum in `taken`.
inline void count_clusters(const Design& d, const Pairs& pairs, uint32_t draw, uint64_t seed, int16_t* counts, double* taken) {
  for (uint32_t attempt = 0;; attempt++) {
    count_attempt(d, pairs, attempt, draw, seed, counts);
    bool complete = true;
    for (int s = 0; s < d.strata; s++) {
      int tasks = 0;
      for (int p = 2 * pairs.starts[s]; p < 2 * pairs.starts[s + 1]; p++) tasks += counts[p];
      taken[s] = tasks;
      complete = complete && tasks > 0;
    }
    if (complete) return;
  }
}

// Values of all draws, row-major, `stride` doubles a row: counts times totals, ratios of sums by stratum.
inline void bootstrap(const Design& d, int draws, uint64_t seed, double* values, size_t stride) {
  constexpr int TILE = 16;
  const Pairs pairs(d);
  const int count = pairs.starts.back(), w = d.width;
  Lines<int16_t> table(size_t(count) * w * 2);  // tiles of 2 vectors of rows: pair after pair
  for (int c = 0; c < d.clusters; c++)
    for (int m = 0; m < w; m++) {
      const int tile = m / (2 * LANES), lane = m % (2 * LANES);
      table[((size_t(tile) * count + pairs.place[c] / 2) * 2 * LANES + lane) * 2 + pairs.place[c] % 2] =
          int16_t(d.totals[size_t(c) * w + m]);
    }
  const size_t count_stride = size_t(count) * 2 + 16;
  Lines<int16_t> counts(TILE * count_stride);
  Lines<int32_t> sums(size_t(TILE) * d.strata * w);
  std::vector<double> taken(size_t(TILE) * d.strata);
  for (int first = 0; first < draws; first += TILE) {
    const int here = std::min(TILE, draws - first);
    for (int k = 0; k < here; k++)
      count_clusters(d, pairs, uint32_t(first + k), seed, &counts[k * count_stride], &taken[size_t(k) * d.strata]);
    for (int m = 0; m < w; m += 2 * LANES)
      for (int s = 0; s < d.strata; s++)
        for (int k = 0; k < TILE; k += 4) {
          Ints a[4] = {}, b[4] = {};
          const int16_t* from = &table[(size_t(m / (2 * LANES)) * count + pairs.starts[s]) * 4 * LANES];
          for (int p = pairs.starts[s]; p < pairs.starts[s + 1]; p++, from += 4 * LANES)
            for (int q = 0; q < 4; q++) {
              int32_t both;
              std::memcpy(&both, &counts[(k + q) * count_stride + 2 * size_t(p)], 4);
              a[q] += dot(Ints{} + both, at<Ints>(from));
              b[q] += dot(Ints{} + both, at<Ints>(from + 2 * LANES));
            }
          for (int q = 0; q < 4; q++) {
            at<Ints>(&sums[(size_t(k + q) * d.strata + s) * w + m]) = a[q];
            at<Ints>(&sums[(size_t(k + q) * d.strata + s) * w + m + LANES]) = b[q];
          }
        }
    for (int k = 0; k < here; k++)
      for (int m = 0; m < d.rows; m++) {
        double value = 0;
        for (int s = 0; s < d.strata; s++) value += sums[(size_t(k) * d.strata + s) * w + m] / taken[size_t(k) * d.strata + s];
        values[size_t(m) * stride + first + k] = value / d.strata / 100;
      }
  }
}

// Best and worst ranks of each row, by comparing all pairs.
inline void rank_pairs(const double* values, size_t stride, int draws, int ranked, uint32_t* best, uint32_t* worst) {
  constexpr int EACH = BYTES / 8;
  struct Row {
    Longs above, below;
  };
  std::vector<Row> rows(ranked);
  for (int first = 0; first < draws; first += EACH) {
    std::fill(rows.begin(), rows.end(), Row{});
    for (int i = 0; i < ranked; i++) {
      const Doubles value = at<Doubles>(values + i * stride + first);
      Longs higher = rows[i].above, lower = rows[i].below;
      for (int j = i + 1; j < ranked; j++) {
        const Doubles other = at<Doubles>(values + j * stride + first);
        const Longs ahead = value > other, behind = value < other;
        higher -= behind;
        lower -= ahead;
        rows[j].above -= ahead;
        rows[j].below -= behind;
      }
      for (int k = 0; k < EACH && first + k < draws; k++) {
        best[size_t(i) * ranked + higher[k]]++;
        worst[size_t(i) * ranked + ranked - 1 - lower[k]]++;
      }
    }
  }
}

// The same by a sort into buckets of equal width.
inline void rank_buckets(const double* values, size_t stride, int draws, int ranked, uint32_t* best, uint32_t* worst) {
  struct Row {
    double value;
    int row;
  };
  std::vector<double> here(ranked);
  std::vector<Row> order(ranked);
  std::vector<int> place(ranked), starts(ranked + 1);
  for (int draw = 0; draw < draws; draw++) {
    for (int m = 0; m < ranked; m++) here[m] = values[m * stride + draw];
    const auto [low, high] = std::minmax_element(here.begin(), here.end());
    const double top = *high, scale = (ranked - 1) / (top - *low);
    std::fill(starts.begin(), starts.end(), 0);
    for (int m = 0; m < ranked; m++) starts[1 + (place[m] = int((top - here[m]) * scale))]++;
    for (int b = 0; b < ranked; b++) starts[b + 1] += starts[b];
    for (int m = 0; m < ranked; m++) order[starts[place[m]]++] = {here[m], m};
    for (int k = 1; k < ranked; k++) {
      const Row row = order[k];
      int to = k;
      for (; to > 0 && order[to - 1].value < row.value; to--) order[to] = order[to - 1];
      order[to] = row;
    }
    for (int start = 0, end; start < ranked; start = end) {
      for (end = start + 1; end < ranked && order[end].value == order[start].value;) end++;
      for (int k = start; k < end; k++) {
        best[size_t(order[k].row) * ranked + start]++;
        worst[size_t(order[k].row) * ranked + end - 1]++;
      }
    }
  }
}

#ifndef __AVX512F__
// Places of the lanes that a mask of four keeps, in 32-bit halves.
struct Packing {
  alignas(32) int32_t places[16][8];
  Packing() {
    for (int mask = 0; mask < 16; mask++)
      for (int lane = 0, to = 0; lane < 4; lane++)
        if (mask >> lane & 1) places[mask][to] = 2 * lane, places[mask][to + 1] = 2 * lane + 1, to += 2;
  }
};
#endif

// Differences at or beyond two cuts, packed.
inline int collect(const double* a, const double* b, int n, double below, double above, double* out) {
  int kept = 0, k = 0;
#ifdef __AVX512F__
  const __m512d low = _mm512_set1_pd(below), high = _mm512_set1_pd(above);
  for (; k + 8 <= n; k += 8) {
    const __m512d d = _mm512_sub_pd(_mm512_loadu_pd(a + k), _mm512_loadu_pd(b + k));
    const __mmask8 outside = _mm512_cmp_pd_mask(d, low, _CMP_LE_OQ) | _mm512_cmp_pd_mask(d, high, _CMP_GE_OQ);
    _mm512_storeu_pd(out + kept, _mm512_maskz_compress_pd(outside, d));
    kept += __builtin_popcount(outside);
  }
#else
  static const Packing packing{};
  const __m256d low = _mm256_set1_pd(below), high = _mm256_set1_pd(above);
  for (; k + 4 <= n; k += 4) {
    const __m256d d = _mm256_sub_pd(_mm256_loadu_pd(a + k), _mm256_loadu_pd(b + k));
    const int outside = _mm256_movemask_pd(_mm256_or_pd(_mm256_cmp_pd(d, low, _CMP_LE_OQ), _mm256_cmp_pd(d, high, _CMP_GE_OQ)));
    const __m256i places = _mm256_load_si256(reinterpret_cast<const __m256i*>(packing.places[outside]));
    _mm256_storeu_pd(out + kept, _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(d), places)));
    kept += __builtin_popcount(unsigned(outside));
  }
#endif
  for (; k < n; k++) {
    const double d = a[k] - b[k];
    out[kept] = d;
    kept += d <= below || d >= above;
  }
  return kept;
}

// The four order statistics around both ends of a 95% interval.
inline void interval(const double* a, const double* b, int n, double* scratch, double* out) {
  const int low = int(std::floor((n - 1) * 0.025)), high = int(std::floor((n - 1) * 0.975));
  const int sample = n / 8;
  double mean = 0, squares = 0;
  for (int i = 0; i < sample; i++) mean += a[i] - b[i];
  mean /= sample;
  for (int i = 0; i < sample; i++) squares += (a[i] - b[i] - mean) * (a[i] - b[i] - mean);
  const double cut = 1.8 * std::sqrt(squares / sample);
  int kept = collect(a, b, n, mean - cut, mean + cut, scratch);
  double* middle = std::partition(scratch, scratch + kept, [mean](double d) { return d < mean; });
  int lows = int(middle - scratch);
  if (lows <= low + 1 || n - (kept - lows) > high) {
    for (int i = 0; i < n; i++) scratch[i] = a[i] - b[i];
    kept = lows = n;
    middle = scratch;
  }
  std::nth_element(scratch, scratch + low + 1, scratch + lows);
  out[1] = scratch[low + 1];
  out[0] = *std::max_element(scratch, scratch + low + 1);
  const int place = high - (n - int(scratch + kept - middle));
  std::nth_element(middle, middle + place, scratch + kept);
  out[2] = middle[place];
  out[3] = *std::min_element(middle + place + 1, scratch + kept);
}
