/** Read at once by all machines together: a shared store of this many bytes a second. */
const STORE = 2e9;
const ROWS = 1e9;
const PROCESSORS = [16, 64, 256, 1024];

const shown = (value) => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(2));

/**
 * What 10^9 answers would take on a cluster, by the costs measured here: processor seconds a row of one shard into Parquet, seconds before the first
 * row, seconds of a merge a row, and bytes a row read. Gives lines of Markdown.
 */
export function projection({ perRow, start, mergePerRow, bytesPerRow }) {
  const [reading, merging] = [(ROWS * bytesPerRow) / STORE, ROWS * mergePerRow];
  const computing = (processors) => start + (ROWS * perRow) / processors;
  const rows = PROCESSORS.map((processors) => {
    const steps = { computing: computing(processors), reading, merging };
    const [[longest]] = Object.entries(steps).sort(([, a], [, b]) => b - a);
    const total = Math.max(steps.computing, reading) + merging;
    return `| ${processors} | ${[steps.computing, reading, merging, total].map(shown).join(' | ')} | ${longest} |`;
  });
  const from = (limit) => Math.ceil((ROWS * perRow) / limit);
  const bounds = [
    [from(merging), 'the merge, which one machine makes'],
    [from(reading), 'the store that all read from'],
  ].sort(([a], [b]) => a - b);
  return [
    `10^9 answers of ${Math.round(bytesPerRow)} bytes into Parquet, in seconds, from costs of this run: ${(perRow * 1e6).toFixed(2)} us of a processor a row, ${start.toFixed(2)} s before the first, ${(mergePerRow * 1e6).toFixed(3)} us a row to merge.`,
    '',
    '| processors | computing | reading | merging | in all | longest |',
    '|---:|---:|---:|---:|---:|---|',
    ...rows,
    '',
    `Assumed: processors like these, one a shard, shards of equal size; files of answers, so that no shard reads what another has; a shared store that gives ${STORE / 1e9} GB a second to all together, read while it is computed; a merge after the last shard. The first bottleneck is ${bounds[0][1]}: from ${bounds[0][0]} processors on it takes longer than computing; ${bounds[1][1]} follows at ${bounds[1][0]}.`,
  ];
}
