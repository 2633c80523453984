/** Integers; those past 2^53 stand in 64 bits. */
export type Integers = Float64Array | BigInt64Array;

/** Most distance of two totals of a cluster whose values are looked up in a table. */
const TABLE = 1 << 16;

/** Numbers the values that rows have in each cluster from 0 on, equal ones alike: clusters x rows, and how many a cluster has at most. */
function valueCodes(totals: Integers, rows: number): { readonly codes: Uint32Array; readonly most: number } {
  const codes = new Uint32Array(totals.length);
  const known = new Uint32Array(TABLE);
  /** By place in the table: 1 + the last cluster that has such a value. */
  const met = new Uint32Array(TABLE);
  let most = 1;
  for (let first = 0, mark = 1; first < totals.length; first += rows, mark += 1) {
    let least = Number.POSITIVE_INFINITY;
    let largest = Number.NEGATIVE_INFINITY;
    if (totals instanceof Float64Array)
      for (let at = first; at < first + rows; at += 1) {
        least = Math.min(least, totals[at]!);
        largest = Math.max(largest, totals[at]!);
      }
    let count = 0;
    if (totals instanceof Float64Array && largest - least < TABLE)
      for (let at = first; at < first + rows; at += 1) {
        const place = totals[at]! - least;
        if (met[place] !== mark) {
          met[place] = mark;
          known[place] = count++;
        }
        codes[at] = known[place]!;
      }
    else {
      const values = new Map<number | bigint, number>();
      for (let at = first; at < first + rows; at += 1) {
        const code = values.get(totals[at]!) ?? values.size;
        values.set(totals[at]!, code);
        codes[at] = code;
      }
      count = values.size;
    }
    most = Math.max(most, count);
  }
  return { codes, most };
}

/** The bits that are set in 32. */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Makes what counts the clusters in which two rows have different totals. `totals`: clusters x rows, cluster-major, integers. A row keeps the bits of the
 * numbers of its values, 32 clusters a word: of tables of few values two rows are compared in a few words a hundred clusters.
 */
export function differingCounter(totals: Integers, rows: number): (i: number, j: number) => number {
  const clusters = totals.length / rows;
  const { codes, most } = valueCodes(totals, rows);
  const planes = Math.ceil(Math.log2(most));
  const words = Math.ceil(clusters / 32);
  const stride = words * planes;
  const bits = new Int32Array(rows * stride);
  for (let c = 0; c < clusters; c += 1) {
    const word = (c >> 5) * planes;
    for (let m = 0; m < rows; m += 1) {
      const code = codes[c * rows + m]!;
      for (let plane = 0; plane < planes; plane += 1)
        if ((code >>> plane) & 1) bits[m * stride + word + plane]! |= 1 << (c & 31);
    }
  }
  return (i, j) => {
    let a = i * stride;
    let b = j * stride;
    let count = 0;
    for (let word = 0; word < words; word += 1) {
      let unequal = 0;
      for (let plane = 0; plane < planes; plane += 1) unequal |= bits[a++]! ^ bits[b++]!;
      count += bitCount(unequal);
    }
    return count;
  };
}
