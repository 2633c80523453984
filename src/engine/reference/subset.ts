import { philoxDraw } from '../philox.js';
import { checkSubsets, type SubsetTotals } from '../subset.js';

/** Makes subset totals, one draw after the other. */
export const referenceSubsetTotals: SubsetTotals = (request) => {
  checkSubsets(request);
  const { columns, rows, members, takes, draws, first = 0, seed, stream } = request;
  const out = new Int32Array(draws * rows);
  for (let draw = 0; draw < draws; draw += 1) {
    const words = philoxDraw({ seed, stream, draw: first + draw });
    members.forEach((list, s) => {
      for (const position of words.subset(list.length, takes[s]!)) {
        const column = list[position]! * rows;
        for (let r = 0; r < rows; r += 1) out[draw * rows + r]! += columns[column + r]!;
      }
    });
  }
  return out;
};
