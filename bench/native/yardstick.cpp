// The native yardstick: what bench/native.bench.ts compares the WASM kernels with. One thread, the same generator, the same
// draws and the same answers, written as plainly as a compiler can vectorise well: g++ -O3 -march=native.
//
//   yardstick DESIGN DRAWS FLIPS SEED
//
// DESIGN is int32: rows, clusters, strata, the stratum of each cluster, then clusters x rows totals. Prints JSON: the
// processor milliseconds of each stage and sums over the answers, by which the caller knows that the work was the same.

#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <vector>

namespace {

constexpr int LANES = 16;

using Ints = int32_t __attribute__((vector_size(64)));
using Words = uint32_t __attribute__((vector_size(64)));
using Floats = float __attribute__((vector_size(64)));

struct Design {
  int rows = 0, width = 0, clusters = 0, strata = 0;
  std::vector<int> stratum, tasks;
  std::vector<int32_t> totals;  // clusters x width
};

// Processor time of this process: other work on the machine counts less than in wall time.
double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) / 1e6;
}

Design read_design(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<int32_t> all;
  for (int32_t word; file.read(reinterpret_cast<char*>(&word), 4);) all.push_back(word);
  Design d;
  d.rows = all[0];
  d.clusters = all[1];
  d.strata = all[2];
  d.width = (d.rows + LANES - 1) / LANES * LANES;
  d.stratum.assign(all.begin() + 3, all.begin() + 3 + d.clusters);
  d.tasks.assign(d.strata, 0);
  d.totals.assign(size_t(d.clusters) * d.width, 0);
  for (int c = 0; c < d.clusters; c++) {
    d.tasks[d.stratum[c]]++;
    for (int m = 0; m < d.rows; m++)
      d.totals[size_t(c) * d.width + m] = all[3 + d.clusters + size_t(c) * d.rows + m];
  }
  return d;
}

struct Product {
  Words high, low;
};

// Both halves of 16 products of unsigned 32-bit integers.
inline Product multiply(Words a, uint32_t by) {
#ifdef __AVX512F__
  const __m512i m = _mm512_set1_epi32(int(by)), x = __m512i(a);
  const __m512i even = _mm512_mul_epu32(x, m), odd = _mm512_mul_epu32(_mm512_srli_epi64(x, 32), m);
  return {Words(_mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64(even, 32), odd)),
          Words(_mm512_mask_blend_epi32(0xaaaa, even, _mm512_slli_epi64(odd, 32)))};
#else
  Product p;
  for (int i = 0; i < LANES; i++) p.high[i] = uint32_t((uint64_t(a[i]) * by) >> 32), p.low[i] = a[i] * by;
  return p;
#endif
}

// Philox4x32-10, 16 blocks side by side; words leave block after block when `ordered`, else lane after lane.
void philox(uint32_t* out, int count, uint32_t draw, uint32_t stream, uint64_t seed, bool ordered) {
  const Words step = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  for (int first = 0; first * 4 < count; first += LANES) {
    Words c[4] = {step + uint32_t(first), Words{} + draw, Words{}, Words{} + stream};
    uint32_t k0 = uint32_t(seed), k1 = uint32_t(seed >> 32);
    for (int round = 0; round < 10; round++, k0 += 0x9e3779b9u, k1 += 0xbb67ae85u) {
      const Product p = multiply(c[0], 0xd2511f53u), q = multiply(c[2], 0xcd9e8d57u);
      c[0] = q.high ^ c[1] ^ k0;
      c[1] = q.low;
      c[2] = p.high ^ c[3] ^ k1;
      c[3] = p.low;
    }
    uint32_t* to = out + size_t(first) * 4;
    if (ordered || (first + LANES) * 4 > count)
      for (int i = 0; i < LANES; i++)
        for (int j = 0; j < 4; j++) to[i * 4 + j] = c[j][i];
    else
      std::memcpy(to, c, sizeof c);
  }
}

// Values of all draws, row-major: cluster rows added as they are drawn, ratios of sums by stratum. V vectors a row.
template <int V>
void bootstrap(const Design& d, int draws, uint64_t seed, std::vector<double>& values) {
  std::vector<uint32_t> words(d.clusters + 64);
  std::vector<Ints> rows(size_t(d.clusters) * V), sums(size_t(d.strata) * V);
  std::memcpy(rows.data(), d.totals.data(), d.totals.size() * 4);
  std::vector<int> taken(d.strata);
  for (int draw = 0; draw < draws; draw++) {
    philox(words.data(), d.clusters, draw, 0, seed, false);
    std::memset(sums.data(), 0, sums.size() * sizeof(Ints));
    std::fill(taken.begin(), taken.end(), 0);
    for (int i = 0; i < d.clusters; i++) {
      const int c = int((uint64_t(words[i]) * d.clusters) >> 32), s = d.stratum[c];
      for (int v = 0; v < V; v++) sums[s * V + v] += rows[c * V + v];
      taken[s]++;
    }
    const auto* sum = reinterpret_cast<const int32_t*>(sums.data());
    double value[V * LANES] = {};
    for (int s = 0; s < d.strata; s++)
      for (int m = 0; m < V * LANES; m++) value[m] += double(sum[s * V * LANES + m]) / taken[s];
    for (int m = 0; m < d.rows; m++) values[size_t(m) * draws + draw] = value[m] / d.strata / 100;
  }
}

void rank_rows(const std::vector<double>& values, int draws, int ranked, std::vector<uint32_t>& counts) {
  std::vector<int> behind(size_t(ranked) * LANES);
  for (int first = 0; first < draws; first += LANES) {
    const int here = std::min(LANES, draws - first);
    std::fill(behind.begin(), behind.end(), 0);
    for (int i = 0; i < ranked; i++)
      for (int j = i + 1; j < ranked; j++) {
        const double *a = &values[size_t(i) * draws + first], *b = &values[size_t(j) * draws + first];
        for (int k = 0; k < here; k++) {
          const int ahead = a[k] >= b[k];
          behind[i * LANES + k] += 1 - ahead;
          behind[j * LANES + k] += ahead;
        }
      }
    for (int i = 0; i < ranked; i++)
      for (int k = 0; k < here; k++) counts[i * ranked + behind[i * LANES + k]]++;
  }
}

// Differences at or beyond two cuts, packed.
int collect(const double* a, const double* b, int n, double below, double above, double* out) {
  int kept = 0, at = 0;
#ifdef __AVX512F__
  const __m512d low = _mm512_set1_pd(below), high = _mm512_set1_pd(above);
  for (; at + 8 <= n; at += 8) {
    const __m512d d = _mm512_sub_pd(_mm512_loadu_pd(a + at), _mm512_loadu_pd(b + at));
    const __mmask8 outside = _mm512_cmp_pd_mask(d, low, _CMP_LE_OQ) | _mm512_cmp_pd_mask(d, high, _CMP_GE_OQ);
    _mm512_storeu_pd(out + kept, _mm512_maskz_compress_pd(outside, d));
    kept += __builtin_popcount(outside);
  }
#endif
  for (; at < n; at++) {
    const double d = a[at] - b[at];
    out[kept] = d;
    kept += d <= below || d >= above;
  }
  return kept;
}

// The four order statistics around both ends of a 95% interval.
void interval(const double* a, const double* b, int n, std::vector<double>& scratch, double* out) {
  const int low = int(std::floor((n - 1) * 0.025)), high = int(std::floor((n - 1) * 0.975));
  const int sample = n / 8;
  double mean = 0, squares = 0;
  for (int i = 0; i < sample; i++) mean += a[i] - b[i];
  mean /= sample;
  for (int i = 0; i < sample; i++) squares += (a[i] - b[i] - mean) * (a[i] - b[i] - mean);
  const double cut = 1.8 * std::sqrt(squares / sample);
  int kept = collect(a, b, n, mean - cut, mean + cut, scratch.data());
  double* middle = std::partition(scratch.data(), scratch.data() + kept, [mean](double d) { return d < mean; });
  int lows = int(middle - scratch.data());
  if (lows <= low + 1 || n - (kept - lows) > high) {
    for (int i = 0; i < n; i++) scratch[i] = a[i] - b[i];
    kept = lows = n;
    middle = scratch.data();
  }
  std::nth_element(scratch.data(), scratch.data() + low + 1, scratch.data() + lows);
  out[1] = scratch[low + 1];
  out[0] = *std::max_element(scratch.data(), scratch.data() + low + 1);
  const int place = high - (n - int(scratch.data() + kept - middle));
  std::nth_element(middle, middle + place, scratch.data() + kept);
  out[2] = middle[place];
  out[3] = *std::min_element(middle + place + 1, scratch.data() + kept);
}

struct Flips {
  std::vector<uint32_t> pairs;   // rows x width
  std::vector<uint32_t> levels;  // draws by number of levels reached
};

template <int V>
Flips flip(const Design& d, int draws, uint64_t seed) {
  const int w = d.width, groups = (d.clusters + 7) / 8, ranked = d.rows - 1;
  std::vector<int32_t> table(size_t(groups) * 256 * w), observed(w), limits(size_t(d.rows) * w);
  for (int g = 0; g < groups; g++)
    for (int byte = 0; byte < 256; byte++)
      for (int bit = 0; bit < 8 && g * 8 + bit < d.clusters; bit++)
        for (int m = 0; m < w; m++) {
          const int32_t total = d.totals[size_t(g * 8 + bit) * w + m];
          table[(size_t(g) * 256 + byte) * w + m] += byte >> bit & 1 ? total : -total;
        }
  std::vector<float> inverse(size_t(d.rows) * w);
  std::vector<float> statistics;
  for (int c = 0; c < d.clusters; c++)
    for (int m = 0; m < w; m++) observed[m] += d.totals[size_t(c) * w + m];
  for (int i = 0; i < d.rows; i++)
    for (int j = i + 1; j < d.rows; j++) {
      limits[size_t(i) * w + j] = std::abs(observed[i] - observed[j]);
      double squares = 0;
      for (int c = 0; c < d.clusters; c++) {
        const double x = d.totals[size_t(c) * w + i] - d.totals[size_t(c) * w + j];
        squares += x * x;
      }
      if (j >= ranked) continue;
      inverse[size_t(i) * w + j] = float(1 / std::sqrt(squares));
      statistics.push_back(limits[size_t(i) * w + j] * inverse[size_t(i) * w + j]);
    }
  std::sort(statistics.begin(), statistics.end());
  Flips out{std::vector<uint32_t>(size_t(d.rows) * w), std::vector<uint32_t>(statistics.size() + 1)};
  std::vector<uint32_t> bits((d.clusters + 31) / 32 + 64);
  std::vector<Ints> limit(size_t(d.rows) * V), rows(table.size() / LANES);
  std::vector<Words> counts(size_t(d.rows) * V);
  std::vector<Floats> reciprocal(size_t(d.rows) * V);
  std::memcpy(limit.data(), limits.data(), limits.size() * 4);
  std::memcpy(rows.data(), table.data(), table.size() * 4);
  std::memcpy(reciprocal.data(), inverse.data(), inverse.size() * 4);
  for (int draw = 0; draw < draws; draw++) {
    philox(bits.data(), (d.clusters + 31) / 32, draw, 1, seed, true);
    const auto* bytes = reinterpret_cast<const uint8_t*>(bits.data());
    Ints sums[V] = {};
    for (int g = 0; g < groups; g++)
      for (int v = 0; v < V; v++) sums[v] += rows[(size_t(g) * 256 + bytes[g]) * V + v];
    Floats largest = {};
    for (int i = 0; i < d.rows; i++) {
      const int32_t own = sums[i / LANES][i % LANES];
      for (int v = (i + 1) / LANES; v < V; v++) {
        const Ints difference = own - sums[v];
        const Ints distance = difference < 0 ? -difference : difference;
        counts[i * V + v] -= Words(distance >= limit[i * V + v]);
        const Floats t = __builtin_convertvector(distance, Floats) * reciprocal[i * V + v];
        largest = t > largest ? t : largest;
      }
    }
    float most = 0;
    for (int k = 0; k < LANES; k++) most = std::max(most, largest[k]);
    out.levels[std::upper_bound(statistics.begin(), statistics.end(), most) - statistics.begin()]++;
  }
  std::memcpy(out.pairs.data(), counts.data(), out.pairs.size() * 4);
  return out;
}

template <int V>
int run(const Design& d, int draws, int flips, uint64_t seed) {
  const int ranked = d.rows - 1;
  std::vector<double> values(size_t(d.rows) * draws), scratch(draws + 8);
  std::vector<uint32_t> ranks(size_t(ranked) * ranked);

  const double start = now();
  bootstrap<V>(d, draws, seed, values);
  const double drawn = now();
  rank_rows(values, draws, ranked, ranks);
  const double placed = now();
  double ends[4], interval_sum = 0;
  for (int i = 0; i < d.rows; i++)
    for (int j = i + 1; j < d.rows; j++) {
      interval(&values[size_t(i) * draws], &values[size_t(j) * draws], draws, scratch, ends);
      interval_sum += ends[0] + ends[1] + ends[2] + ends[3];
    }
  const double selected = now();
  const Flips flipped = flip<V>(d, flips, seed);
  const double done = now();

  uint64_t exceedances = 0, first_ranks = 0;
  for (int i = 0; i < d.rows; i++)
    for (int j = i + 1; j < d.rows; j++) exceedances += flipped.pairs[size_t(i) * d.width + j];
  for (int i = 0; i < ranked; i++) first_ranks += uint64_t(i + 1) * ranks[size_t(i) * ranked];
  std::printf(
      "{\"bootstrap\":%.3f,\"ranks\":%.3f,\"pair_intervals\":%.3f,\"flips\":%.3f,\"total\":%.3f,"
      "\"exceedances\":%llu,\"first_ranks\":%llu,\"interval_sum\":%.9f}\n",
      drawn - start, placed - drawn, selected - placed, done - selected, done - start,
      static_cast<unsigned long long>(exceedances), static_cast<unsigned long long>(first_ranks), interval_sum);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return std::fprintf(stderr, "yardstick DESIGN DRAWS FLIPS SEED\n"), 2;
  const Design d = read_design(argv[1]);
  const int draws = std::atoi(argv[2]), flips = std::atoi(argv[3]);
  const uint64_t seed = std::strtoull(argv[4], nullptr, 10);
  switch (d.width / LANES) {
    case 1: return run<1>(d, draws, flips, seed);
    case 2: return run<2>(d, draws, flips, seed);
    case 3: return run<3>(d, draws, flips, seed);
    case 4: return run<4>(d, draws, flips, seed);
  }
  return std::fprintf(stderr, "yardstick: up to 64 rows\n"), 2;
}
