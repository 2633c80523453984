#include "philox.wgsl"

// Exact flipped sums and, from them, exceedances of every pair of rows and of every row against zero.
//
// A workgroup has `together` draws. It goes over the clusters 256 at a time: its threads make the sign words, then add
// signed totals to the sums; at the end they compare, and add each count once.
//
//   totals     C x planes x width, i32; planes are digits of `bits` bits, the last one signed (assembly/signflip.ts)
//   sums       together x slots x width, i32, in workgroup memory; past i32 slots 0 and 1 become low and high word
//   observed   rows x width absolute values (low, high): (i, j) the pair i < j, (i, i) row i against zero
//   counts     the same places
//   returned   draws x width sums for max-T, i32 or (low, high), when asked for

struct Job {
  first: vec2<u32>,
  seed: vec2<u32>,
  stream: u32,
  draws: u32,
  clusters: u32,
  rows: u32,
  width: u32,
  planes: u32,
  bits: u32,
  slots: u32,
  together: u32,
  wide: u32,
  all: u32,
  keep: u32,
}

override SUMS: u32 = 2048u;

@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(1) var<storage, read> totals: array<i32>;
@group(0) @binding(2) var<storage, read> observed: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> returned: array<u32>;

var<workgroup> signs: array<u32, 128>;
var<workgroup> sums: array<i32, SUMS>;

fn make_signs(thread: u32, first_draw: u32, words: u32) {
  for (var item = thread; item < job.together * 2u; item += 64u) {
    let k = item / 2u;
    let block = item % 2u;
    let draw = draw_number(job.first, first_draw + k);
    var made = vec4<u32>(draw.x, 0u, 0u, 0u);
    if (job.all == 0u) {
      made = philox(words / 4u + block, draw, job.stream, job.seed);
    }
    for (var i = 0u; i < 4u; i++) {
      signs[k * 8u + block * 4u + i] = made[i];
    }
  }
}

fn add_totals(thread: u32, from_cluster: u32) {
  let lanes = job.planes * job.width;
  let until = min(job.clusters - from_cluster, 256u);
  for (var item = thread; item < job.together * lanes; item += 64u) {
    let k = item / lanes;
    let lane = item % lanes;
    var sum = 0i;
    for (var c = 0u; c < until; c++) {
      let total = totals[(from_cluster + c) * lanes + lane];
      let plus = (signs[k * 8u + c / 32u] >> (c % 32u)) & 1u;
      sum += select(-total, total, plus == 1u);
    }
    sums[k * job.slots * job.width + lane] += sum;
  }
}

// a + b of 64-bit integers as (low, high).
fn add_wide(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn negative_wide(a: vec2<u32>) -> vec2<u32> {
  return add_wide(vec2<u32>(~a.x, ~a.y), vec2<u32>(1u, 0u));
}

fn absolute_wide(a: vec2<u32>) -> vec2<u32> {
  if ((a.y >> 31u) == 1u) {
    return negative_wide(a);
  }
  return a;
}

fn shifted_wide(a: vec2<u32>, by: u32) -> vec2<u32> {
  return vec2<u32>(a.x << by, (a.y << by) | (a.x >> (32u - by)));
}

fn extended(a: i32) -> vec2<u32> {
  return vec2<u32>(bitcast<u32>(a), select(0u, 0xffffffffu, a < 0i));
}

fn join_planes(thread: u32) {
  for (var item = thread; item < job.together * job.width; item += 64u) {
    let base = (item / job.width) * job.slots * job.width + item % job.width;
    var value = vec2<u32>(0u, 0u);
    for (var left = job.planes; left > 0u; left--) {
      if (job.bits > 0u) {
        value = shifted_wide(value, job.bits);
      }
      value = add_wide(value, extended(sums[base + (left - 1u) * job.width]));
    }
    sums[base] = bitcast<i32>(value.x);
    sums[base + job.width] = bitcast<i32>(value.y);
  }
}

fn sum_of(k: u32, row: u32) -> vec2<u32> {
  let base = k * job.slots * job.width + row;
  if (job.wide == 0u) {
    return extended(sums[base]);
  }
  return vec2<u32>(bitcast<u32>(sums[base]), bitcast<u32>(sums[base + job.width]));
}

fn count_narrow(i: u32, j: u32, limit: i32, here: u32) -> u32 {
  var reached = 0u;
  for (var k = 0u; k < here; k++) {
    let base = k * job.slots * job.width;
    let other = select(sums[base + j], 0i, i == j);
    reached += select(0u, 1u, abs(sums[base + i] - other) >= limit);
  }
  return reached;
}

fn count_wide(i: u32, j: u32, limit: vec2<u32>, here: u32) -> u32 {
  var reached = 0u;
  for (var k = 0u; k < here; k++) {
    var d = sum_of(k, i);
    if (i != j) {
      d = add_wide(d, negative_wide(sum_of(k, j)));
    }
    d = absolute_wide(d);
    reached += select(0u, 1u, d.y > limit.y || (d.y == limit.y && d.x >= limit.x));
  }
  return reached;
}

fn compare(thread: u32, here: u32) {
  for (var place = thread; place < job.rows * job.width; place += 64u) {
    let i = place / job.width;
    let j = place % job.width;
    if (j < i || j >= job.rows) {
      continue;
    }
    let limit = observed[place];
    var reached = 0u;
    if (job.wide == 0u) {
      reached = count_narrow(i, j, bitcast<i32>(limit.x), here);
    } else {
      reached = count_wide(i, j, limit, here);
    }
    if (reached > 0u) {
      atomicAdd(&counts[place], reached);
    }
  }
}

fn give_back(thread: u32, first_draw: u32, here: u32) {
  for (var item = thread; item < here * job.width; item += 64u) {
    let value = sum_of(item / job.width, item % job.width);
    let at = first_draw * job.width + item;
    if (job.wide == 0u) {
      returned[at] = value.x;
    } else {
      returned[at * 2u] = value.x;
      returned[at * 2u + 1u] = value.y;
    }
  }
}

@compute @workgroup_size(64)
fn flip(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) thread: u32,
) {
  let first_draw = (group.y * groups.x + group.x) * job.together;
  let here = select(min(job.together, job.draws - first_draw), 0u, first_draw >= job.draws);
  for (var item = thread; item < job.together * job.slots * job.width; item += 64u) {
    sums[item] = 0i;
  }
  for (var words = 0u; words * 32u < job.clusters; words += 8u) {
    make_signs(thread, first_draw, words);
    workgroupBarrier();
    add_totals(thread, words * 32u);
    workgroupBarrier();
  }
  if (job.wide == 1u) {
    join_planes(thread);
    workgroupBarrier();
  }
  compare(thread, here);
  if (job.keep == 1u) {
    give_back(thread, first_draw, here);
  }
}
