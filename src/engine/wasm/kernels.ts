/** What build/kernels.wasm exports for resampling; layouts stand above the functions in assembly/. */
export interface Kernels {
  heapBase(): number;
  jointCounts(
    counts: number,
    stride: number,
    draws: number,
    parts: number,
    clusters: number,
    clusterOf: number,
    starts: number,
    strata: number,
    firstLow: number,
    firstHigh: number,
    stream: number,
    seedLow: number,
    seedHigh: number,
    attempts: number,
    scratch: number,
  ): number;
  stratifiedCounts(
    counts: number,
    stride: number,
    draws: number,
    parts: number,
    starts: number,
    strata: number,
    firstLow: number,
    firstHigh: number,
    stream: number,
    seedLow: number,
    seedHigh: number,
    scratch: number,
  ): number;
  gatherCounts(
    counts: number,
    stride: number,
    draws: number,
    parts: number,
    clusters: number,
    clusterOf: number,
    given: number,
  ): void;
  markEmpty(counts: number, stride: number, draws: number, starts: number, strata: number, marks: number): void;
  stratumSums(
    counts: number,
    stride: number,
    draws: number,
    starts: number,
    strata: number,
    table: number,
    lanes: number,
    sums: number,
  ): void;
  ratios(
    sums: number,
    draws: number,
    strata: number,
    lanes: number,
    rows: number,
    scale: number,
    values: number,
    valueStride: number,
  ): void;
  wideRatios(
    sums: number,
    draws: number,
    strata: number,
    lanes: number,
    rows: number,
    scale: number,
    values: number,
    valueStride: number,
    width: number,
    planes: number,
    bits: number,
  ): void;
  pcgWords(state: number, out: number, count: number): void;
  packSigns(bytes: number, clusters: number, draws: number, bits: number, bitStride: number): void;
  multinomialStarts(cells: number, first: number, count: number, width: number, starts: number): void;
  multinomialRows(
    state: number,
    rows: number,
    n: number,
    cells: number,
    first: number,
    width: number,
    starts: number,
    out: number,
  ): number;
  philoxWords(
    out: number,
    count: number,
    first: number,
    drawLow: number,
    drawHigh: number,
    stream: number,
    seedLow: number,
    seedHigh: number,
    scale: number,
  ): void;
  signTables(totals: number, rowBytes: number, clusters: number, lanes: number, table: number): void;
  addFlips(
    bits: number,
    bitStride: number,
    draws: number,
    groups: number,
    table: number,
    lanes: number,
    sums: number,
    sumStride: number,
    fresh: number,
  ): void;
  enumeratedBits(bits: number, bitStride: number, draws: number, first: number): void;
  joinPlanes(
    sums: number,
    sumStride: number,
    draws: number,
    width: number,
    planes: number,
    bits: number,
    out: number,
    outStride: number,
  ): void;
  countPairs: CountPairs;
  countWidePairs: CountPairs;
  countRows: CountRows;
  countWideRows: CountRows;
  tallyMaxima: TallyMaxima;
  tallyWideMaxima: TallyMaxima;
  inverseRootSquares: InverseRootSquares;
  inverseWideRootSquares: InverseRootSquares;
  orderStatistics(
    left: number,
    right: number,
    n: number,
    mean: number,
    lowInner: number,
    lowOuter: number,
    highInner: number,
    highOuter: number,
    ranks: number,
    count: number,
    lowCount: number,
    scratch: number,
    out: number,
  ): void;
  blockedSum(values: number, n: number, block: number, centre: number, squared: number): number;
  raiseMaxima(values: number, n: number, point: number, error: number, maxima: number): void;
  rankByPairs: RankDraws;
  rankBySorting: RankDraws;
}

type CountPairs = (
  sums: number,
  sumStride: number,
  draws: number,
  rows: number,
  lanes: number,
  observed: number,
  counts: number,
) => void;

type CountRows = (
  sums: number,
  sumStride: number,
  draws: number,
  lanes: number,
  observed: number,
  counts: number,
) => void;

type TallyMaxima = (
  sums: number,
  sumStride: number,
  draws: number,
  ranked: number,
  lanes: number,
  inverse: number,
  coarse: number,
  levels: number,
  levelCount: number,
  counts: number,
) => void;

type InverseRootSquares = (totals: number, clusters: number, ranked: number, lanes: number, inverse: number) => void;

type RankDraws = (
  values: number,
  stride: number,
  draws: number,
  ranked: number,
  counts: number,
  scratch: number,
) => void;
