// Sign flips: exceedances of all pairs, and the largest studentised statistic of each draw by levels.
#pragma once

#include <algorithm>
#include <cmath>

#include "design.h"

// Signed sums of every 8 clusters: for a block of 32 rows group after group, 256 rows of the table each.
inline void sign_tables(const Design& d, int from, int32_t* table) {
  for (int g = 0; g * 8 < d.clusters; g++) {
    int32_t* to = table + size_t(g) * 256 * 32;
    const int here = std::min(8, d.clusters - g * 8);
    for (int m = 0; m < 32; m++) {
      to[m] = 0;
      for (int c = 0; c < here && from + m < d.width; c++) to[m] -= d.totals[size_t(g * 8 + c) * d.width + from + m];
    }
    for (int byte = 1; byte < 256; byte++) {
      const int c = __builtin_ctz(unsigned(byte));
      const int32_t* base = to + (byte & (byte - 1)) * 32;
      for (int m = 0; m < 32; m++)
        to[byte * 32 + m] =
            base[m] + (c < here && from + m < d.width ? 2 * d.totals[size_t(g * 8 + c) * d.width + from + m] : 0);
    }
  }
}

struct Flips {
  uint64_t exceedances = 0;
  std::vector<uint32_t> levels;  // draws by number of levels reached
};

inline Flips flip(const Design& d, int draws, uint64_t seed) {
  constexpr size_t KEPT = size_t(32) << 20, CHUNK = size_t(384) << 10;
  const int w = d.width, groups = (d.clusters + 7) / 8, ranked = d.rows - 1, blocks = (w + 31) / 32;
  const int counted = w <= 64 ? 256 : 64, batch = w <= 64 ? 256 : 2048;
  const size_t stride = size_t(blocks) * 32 + (blocks % 8 == 0 ? 16 : 0), one = size_t(groups) * 256 * 32;
  const bool keep = one * blocks * 4 <= KEPT;
  Lines<int32_t> table(keep ? one * blocks : one), sums(size_t(batch) * stride);
  if (keep)
    for (int b = 0; b < blocks; b++) sign_tables(d, b * 32, &table[b * one]);

  // Limits, counts and reciprocals of a block of two vectors of rows: row after row.
  const int each = 2 * LANES, parts = w / each;
  const auto cell = [&](int i, int j) { return (size_t(j / each) * (d.rows + 1) + i) * each + j % each; };
  const size_t cells = size_t(parts) * (d.rows + 1) * each;
  Lines<int32_t> limits(cells);
  Lines<uint32_t> counts(cells);
  Lines<float> inverse(cells), most(size_t(counted) * LANES);
  std::vector<int64_t> observed(w);
  std::vector<float> statistics;
  for (int c = 0; c < d.clusters; c++)
    for (int m = 0; m < d.rows; m++) observed[m] += d.totals[size_t(c) * w + m];
  std::vector<double> column(size_t(d.rows) * d.clusters);
  for (int c = 0; c < d.clusters; c++)
    for (int m = 0; m < d.rows; m++) column[size_t(m) * d.clusters + c] = d.totals[size_t(c) * w + m];
  for (int i = 0; i < d.rows; i++)
    for (int j = i + 1; j < d.rows; j++) {
      limits[cell(i, j)] = int32_t(std::abs(observed[i] - observed[j])) - 1;
      if (j >= ranked) continue;
      double squares = 0;
      const double *a = &column[size_t(i) * d.clusters], *b = &column[size_t(j) * d.clusters];
      Doubles part = {};
      int c = 0;
      for (; c + BYTES / 8 <= d.clusters; c += BYTES / 8) {
        Doubles x, y;
        std::memcpy(&x, a + c, BYTES);
        std::memcpy(&y, b + c, BYTES);
        part += (x - y) * (x - y);
      }
      for (int k = 0; k < BYTES / 8; k++) squares += part[k];
      for (; c < d.clusters; c++) squares += (a[c] - b[c]) * (a[c] - b[c]);
      inverse[cell(i, j)] = float(1 / std::sqrt(squares));
      statistics.push_back(float(limits[cell(i, j)] + 1) * inverse[cell(i, j)]);
    }
  std::sort(statistics.begin(), statistics.end());
  Flips out;
  out.levels.assign(statistics.size() + 1, 0);

  const int sign_blocks = (d.clusters + 127) / 128;
  const size_t bit_stride = size_t(sign_blocks) * 16 + 16;
  Lines<uint8_t> bits(size_t(batch + LANES) * bit_stride);
  const int together = std::max(1, int(CHUNK / (256 * 32 * 4)));
  for (int first = 0; first < draws; first += batch) {
    const int here = std::min(batch, draws - first);
    for (int k = 0; k < here; k += LANES)
      for (int b = 0; b < sign_blocks; b++) {
        Philox p = {Words{} + uint32_t(b), counting() + uint32_t(first + k), Words{}, Words{} + 1u};
        rounds(p, seed);
        for (int lane = 0; lane < LANES; lane++) {
          const uint32_t four[4] = {p.c0[lane], p.c1[lane], p.c2[lane], p.c3[lane]};
          std::memcpy(&bits[size_t(k + lane) * bit_stride + b * 16], four, 16);
        }
      }
    for (int b = 0; b < blocks; b++) {
      if (!keep) sign_tables(d, b * 32, table.data);
      const int32_t* rows = keep ? &table[b * one] : table.data;
      for (int from = 0; from < groups; from += together) {
        const int to = std::min(groups, from + together);
        for (int k = 0; k < here; k++) {
          int32_t* sum = &sums[size_t(k) * stride + b * 32];
          Ints s[32 / LANES] = {};
          if (from > 0)
            for (int v = 0; v < 32 / LANES; v++) s[v] = at<Ints>(sum + v * LANES);
          for (int g = from; g < to; g++) {
            const int32_t* row = rows + (size_t(g) * 256 + bits[size_t(k) * bit_stride + g]) * 32;
            for (int v = 0; v < 32 / LANES; v++) s[v] += at<Ints>(row + v * LANES);
          }
          for (int v = 0; v < 32 / LANES; v++) at<Ints>(sum + v * LANES) = s[v];
        }
      }
    }
    for (int start = 0; start < here; start += counted) {
      const int now_draws = std::min(counted, here - start);
      std::memset(most.data, 0, most.size * 4);
      for (int p = 0; p < parts; p++)
        for (int i = 0; i + 1 < d.rows && i < (p + 1) * each; i += 2) {
          const size_t c = cell(i, p * each);
          const Ints l0 = at<Ints>(&limits[c]), l1 = at<Ints>(&limits[c + LANES]);
          const Ints l2 = at<Ints>(&limits[c + each]), l3 = at<Ints>(&limits[c + each + LANES]);
          const Floats r0 = at<Floats>(&inverse[c]), r1 = at<Floats>(&inverse[c + LANES]);
          const Floats r2 = at<Floats>(&inverse[c + each]), r3 = at<Floats>(&inverse[c + each + LANES]);
          Ints n0 = at<Ints>(&counts[c]), n1 = at<Ints>(&counts[c + LANES]);
          Ints n2 = at<Ints>(&counts[c + each]), n3 = at<Ints>(&counts[c + each + LANES]);
          const int32_t* s = &sums[size_t(start) * stride];
          for (int k = 0; k < now_draws; k++, s += stride) {
            const Ints u = at<Ints>(s + p * each), v = at<Ints>(s + p * each + LANES);
            const Ints d0 = magnitude(s[i] - u), d1 = magnitude(s[i] - v);
            const Ints d2 = magnitude(s[i + 1] - u), d3 = magnitude(s[i + 1] - v);
            n0 -= d0 > l0;
            n1 -= d1 > l1;
            n2 -= d2 > l2;
            n3 -= d3 > l3;
            Floats& top = at<Floats>(&most[size_t(k) * LANES]);
            const Floats a = larger(floats(d0) * r0, floats(d1) * r1), b = larger(floats(d2) * r2, floats(d3) * r3);
            top = larger(top, larger(a, b));
          }
          at<Ints>(&counts[c]) = n0;
          at<Ints>(&counts[c + LANES]) = n1;
          at<Ints>(&counts[c + each]) = n2;
          at<Ints>(&counts[c + each + LANES]) = n3;
        }
      for (int k = 0; k < now_draws; k++) {
        const float top = *std::max_element(&most[size_t(k) * LANES], &most[size_t(k + 1) * LANES]);
        out.levels[std::upper_bound(statistics.begin(), statistics.end(), top) - statistics.begin()]++;
      }
    }
  }
  for (int i = 0; i < d.rows; i++)
    for (int j = i + 1; j < d.rows; j++) out.exceedances += counts[cell(i, j)];
  return out;
}
