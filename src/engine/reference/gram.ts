import type { GramRequest, TaskSimilarities, TaskSimilarityRequest } from '../maps.js';

function rowDot(rows: Float64Array, dims: number, a: number, b: number): number {
  let sum = 0;
  for (let j = 0; j < dims; j += 1) sum += rows[a * dims + j]! * rows[b * dims + j]!;
  return sum;
}

/** Forms dot products left x right, row-major; terms of a sum in column order. */
export function gram({ rows, dims, left, right }: GramRequest): Float64Array {
  const out = new Float64Array(left.length * right.length);
  left.forEach((a, i) => {
    right.forEach((b, j) => {
      out[i * right.length + j] = rowDot(rows, dims, a, b);
    });
  });
  return out;
}

/** Forms the similarities of every task, each computed anew. */
export function taskSimilarities(request: TaskSimilarityRequest): TaskSimilarities {
  const { rows, dims, choices, members } = request;
  const tasks = members.length / (choices + 1);
  const pairsOf = (choices * (choices - 1)) / 2;
  const singles = new Float64Array(tasks * choices);
  const pairs = new Float64Array(tasks * pairsOf);
  for (let t = 0; t < tasks; t += 1) {
    const of = (i: number): number => members[t * (choices + 1) + i]!;
    let pair = t * pairsOf;
    for (let i = 0; i < choices; i += 1) {
      singles[t * choices + i] = rowDot(rows, dims, of(0), of(i + 1));
      for (let j = i + 1; j < choices; j += 1) {
        pairs[pair] = rowDot(rows, dims, of(i + 1), of(j + 1));
        pair += 1;
      }
    }
  }
  return { singles, pairs };
}
