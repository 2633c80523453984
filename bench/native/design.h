// The table that both sides work on, memory on cache lines, and the clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fstream>
#include <new>
#include <vector>

#include "vectors.h"

// Memory on cache lines.
template <class T>
struct Lines {
  explicit Lines(size_t n) : size(n), data(static_cast<T*>(::operator new[](n * sizeof(T) + 64, std::align_val_t(64)))) {
    std::memset(static_cast<void*>(data), 0, n * sizeof(T) + 64);
  }
  ~Lines() { ::operator delete[](data, std::align_val_t(64)); }
  Lines(const Lines&) = delete;
  T& operator[](size_t i) { return data[i]; }
  const T& operator[](size_t i) const { return data[i]; }
  size_t size;
  T* data;
};

struct Design {
  int rows = 0, width = 0, clusters = 0, strata = 0;
  std::vector<int> starts;      // first cluster of each stratum, then clusters
  std::vector<int32_t> totals;  // clusters x width
};

// Processor time of this process: other work on the machine counts less than in wall time.
inline double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) / 1e6;
}

inline Design read_design(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<int32_t> all;
  for (int32_t word; file.read(reinterpret_cast<char*>(&word), 4);) all.push_back(word);
  Design d;
  d.rows = all[0];
  d.clusters = all[1];
  d.strata = all[2];
  d.width = (d.rows + 2 * LANES - 1) / (2 * LANES) * (2 * LANES);
  d.starts.assign(d.strata + 1, d.clusters);
  for (int c = d.clusters - 1; c >= 0; c--) d.starts[all[3 + c]] = c;
  d.totals.assign(size_t(d.clusters) * d.width, 0);
  for (int c = 0; c < d.clusters; c++)
    for (int m = 0; m < d.rows; m++) d.totals[size_t(c) * d.width + m] = all[3 + d.clusters + size_t(c) * d.rows + m];
  return d;
}
