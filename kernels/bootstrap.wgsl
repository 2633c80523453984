#include "philox.wgsl"

// Exact sums of integer part totals under bootstrap counts. Two passes over the same draws:
//
//   count       a thread for 4 words of a draw     counts   draws x bins, u32, zero before
//   sum_parts   a thread for a lane of a draw      sums     draws x strata x lanes, i32
//
// Bins are clusters in the joint scheme and parts in the stratified one. Totals are P x lanes; totals wider than 16 bits
// come as planes of digits, each plane lanes of its own (assembly/bootstrap.ts).

struct Job {
  first: vec2<u32>,
  seed: vec2<u32>,
  stream: u32,
  draws: u32,
  bins: u32,
  strata: u32,
  lanes: u32,
  stratified: u32,
}

@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(1) var<storage, read> starts: array<u32>;
@group(0) @binding(2) var<storage, read> bin_of: array<u32>;
@group(0) @binding(3) var<storage, read> totals: array<i32>;
@group(0) @binding(4) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> sums: array<i32>;

// Place of a thread in a dispatch that is folded over two dimensions.
fn thread_of(group: vec3<u32>, groups: vec3<u32>, local: u32) -> u32 {
  return (group.y * groups.x + group.x) * 64u + local;
}

@compute @workgroup_size(64)
fn count(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let blocks = (job.bins + 3u) / 4u;
  let thread = thread_of(group, groups, local);
  let draw = thread / blocks;
  if (draw >= job.draws) {
    return;
  }
  let block = thread % blocks;
  let words = philox(block, draw_number(job.first, draw), job.stream, job.seed);
  for (var i = 0u; i < 4u; i++) {
    let w = block * 4u + i;
    if (w >= job.bins) {
      return;
    }
    var start = 0u;
    var size = job.bins;
    if (job.stratified == 1u) {
      var s = 0u;
      while (starts[s + 1u] <= w) {
        s++;
      }
      start = starts[s];
      size = starts[s + 1u] - start;
    }
    atomicAdd(&counts[draw * job.bins + start + mul_high(words[i], size)], 1u);
  }
}

@compute @workgroup_size(64)
fn sum_parts(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let thread = thread_of(group, groups, local);
  let draw = thread / job.lanes;
  if (draw >= job.draws) {
    return;
  }
  let lane = thread % job.lanes;
  for (var s = 0u; s < job.strata; s++) {
    var sum = 0i;
    for (var p = starts[s]; p < starts[s + 1u]; p++) {
      let taken = atomicLoad(&counts[draw * job.bins + bin_of[p]]);
      sum += i32(taken) * totals[p * job.lanes + lane];
    }
    sums[(draw * job.strata + s) * job.lanes + lane] = sum;
  }
}
