// The native yardstick: what bench/native.bench.ts and bench/wide.bench.ts compare the WASM kernels with. One thread, the same
// generator, the same draws and the same answers, in vectors of AVX-512 or AVX2: g++ -O3 -march=native.
//
//   yardstick DESIGN DRAWS FLIPS SEED [pairs]
//
// DESIGN is int32: rows, clusters, strata, the stratum of each cluster (ascending), then clusters x rows totals of 15 bits. With
// `pairs` intervals of all row differences are formed too. Prints JSON: the processor milliseconds of each stage, and sums over the
// answers, by which the caller knows that the work was the same.

#include <cstdio>
#include <cstdlib>

#include "bootstrap.h"
#include "flips.h"

int main(int argc, char** argv) {
  if (argc != 5 && argc != 6) return std::fprintf(stderr, "yardstick DESIGN DRAWS FLIPS SEED [pairs]\n"), 2;
  const Design d = read_design(argv[1]);
  const int draws = std::atoi(argv[2]), flips = std::atoi(argv[3]), ranked = d.rows - 1;
  const uint64_t seed = std::strtoull(argv[4], nullptr, 10);
  const size_t stride = size_t(draws + 15) / 8 * 8 + 8;
  Lines<double> values(size_t(d.rows) * stride), scratch(size_t(draws) + 16);
  Lines<uint32_t> best(size_t(ranked) * ranked), worst(size_t(ranked) * ranked);

  const double start = now();
  bootstrap(d, draws, seed, values.data, stride);
  const double drawn = now();
  (ranked > 40 ? rank_buckets : rank_pairs)(values.data, stride, draws, ranked, best.data, worst.data);
  const double placed = now();
  double ends[4], interval_sum = 0;
  if (argc == 6)
    for (int i = 0; i < d.rows; i++)
      for (int j = i + 1; j < d.rows; j++) {
        interval(&values[i * stride], &values[j * stride], draws, scratch.data, ends);
        interval_sum += ends[0] + ends[1] + ends[2] + ends[3];
      }
  const double selected = now();
  const Flips flipped = flip(d, flips, seed);
  const double done = now();

  uint64_t ranks = 0;
  for (int i = 0; i < ranked; i++)
    ranks += uint64_t(i + 1) * (best[size_t(i) * ranked] + uint64_t(worst[size_t(i) * ranked]));
  std::printf(
      "{\"bootstrap\":%.3f,\"ranks\":%.3f,\"pair_intervals\":%.3f,\"flips\":%.3f,\"total\":%.3f,"
      "\"exceedances\":%llu,\"first_ranks\":%llu,\"interval_sum\":%.9f}\n",
      drawn - start, placed - drawn, selected - placed, done - selected, done - start,
      static_cast<unsigned long long>(flipped.exceedances), static_cast<unsigned long long>(ranks), interval_sum);
  return 0;
}
