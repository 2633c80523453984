import { type ClusterDesign, pairCount, pairIndex } from '../design.js';
import type { BootstrapRequest, BootstrapSummary } from '../engine.js';
import { layoutOf, pointValues } from '../layout.js';
import { planBootstrap } from '../plan.js';
import type { Arena } from './arena.js';
import { type Drawn, type DrawSession, rowBytes, type ValueMaker } from './draws.js';
import type { Kernels } from './kernels.js';
import type { BandJob, MomentJob } from './moment-job.js';
import { type OrderJob, orderScratch, type ValueMatrix } from './order-job.js';
import { planQuantiles, type QuantilePlan } from './order-plan.js';
import { type Runner, ranges } from './runner.js';

type Session = DrawSession;

const span = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, k) => from + k);

async function moments(session: Session, matrix: ValueMatrix, rows: number) {
  const { arena, runner, request } = session;
  const means = arena.take(rows * 8);
  const errors = arena.take(rows * 8);
  const jobs = ranges(rows, matrix.draws * 3, runner.lanes).map(
    (range): MomentJob => ({ kind: 'moments', ...matrix, ...range, means, errors }),
  );
  await runner.run(jobs, span(0, runner.lanes), { signal: request.signal });
  return { means, errors: arena.get(errors, new Float64Array(rows)) };
}

/** Order statistics of items (pairs of rows, right -1 for a plain row), turned into quantiles. */
async function quantiles(
  session: Session,
  matrix: ValueMatrix,
  means: number,
  items: Int32Array,
  quantile: QuantilePlan,
  zeros: number,
  emit: (statistics: Float64Array, item: number) => void,
): Promise<void> {
  const { arena, runner, request } = session;
  const mark = arena.mark();
  const count = items.length / 2;
  const itemsAt = arena.put(items);
  const out = arena.take(count * quantile.plan.rankCount * 8);
  const bytes = orderScratch(matrix.draws);
  const scratch = span(0, runner.lanes).map(() => arena.take(bytes));
  const jobs = ranges(count, matrix.draws * 1.2 + 100, runner.lanes).map(
    (range): OrderJob => ({
      kind: 'order',
      ...matrix,
      ...range,
      plan: quantile.plan,
      zeros,
      items: itemsAt,
      means,
      out,
    }),
  );
  await runner.run(jobs, scratch, { signal: request.signal });
  const statistics = arena.get(out, new Float64Array(count * quantile.plan.rankCount));
  for (let item = 0; item < count; item++) emit(statistics, item);
  arena.reset(mark);
}

/** Largest standardised distance of each draw, raised block of rows by block. */
async function raiseBand(
  session: Session,
  matrix: ValueMatrix,
  rows: readonly number[],
  points: Float64Array,
  errors: Float64Array,
  maxima: number,
): Promise<void> {
  const { arena, runner, request, design } = session;
  const taking = rows.filter((row) => row < design.ranked);
  const pointsAt = arena.put(Float64Array.from(taking, (row) => points[row]!));
  const units = arena.put(
    Float64Array.from(taking, (row) => (errors[row]! > 0 ? errors[row]! : 1)),
  );
  const jobs = ranges(matrix.draws, taking.length * 2 + 1, runner.lanes).map(
    ({ first, count }): BandJob => ({
      kind: 'band',
      ...matrix,
      first,
      count,
      rows: taking.length,
      points: pointsAt,
      units,
      maxima,
    }),
  );
  await runner.run(jobs, span(0, runner.lanes), { signal: request.signal });
}

function pairItems(left: readonly number[], right: readonly number[], offset: number): Int32Array {
  const items: number[] = [];
  left.forEach((a, i) => {
    right.forEach((b, j) => {
      if (a < b) items.push(i, offset + j);
    });
  });
  return Int32Array.from(items);
}

/** Everything a bootstrap request asks for; values are kept in memory, or made again in passes where they do not fit. */
export async function runBootstrap(
  arena: Arena<Kernels>,
  runner: Runner,
  design: ClusterDesign,
  request: BootstrapRequest,
  how: { readonly valueBytes: number; readonly make: ValueMaker },
): Promise<BootstrapSummary> {
  arena.reset();
  planBootstrap(design);
  const layout = layoutOf(design);
  const { rows, ranked } = design;
  const { draws, probabilities, bandProbability } = request;
  const capacity = Math.max(2, Math.floor(how.valueBytes / rowBytes(draws)));
  const session: Session = { arena, runner, design, request };
  const points = pointValues(design, layout);
  const quantile = planQuantiles(arena, draws, probabilities);
  const zeros = arena.put(new Float64Array(draws + 8));
  const band = bandProbability === undefined ? 0 : arena.put(new Float64Array(draws + 8));
  const whole = rows <= capacity;
  const standardErrors = new Float64Array(rows);
  const rowOut = new Float64Array(rows * probabilities.length);
  const pairOut = request.pairs ? new Float64Array(pairCount(rows) * probabilities.length) : null;
  let drawn: Drawn | undefined;
  const start = arena.mark();

  if (request.ranks && !whole)
    drawn = await how.make(session, layout, span(0, ranked), { keep: false, ranked });

  const block = whole ? rows : Math.floor(capacity / 2);
  for (let from = 0; from < rows; from += whole ? rows : capacity) {
    arena.reset(start);
    const here = span(from, Math.min(rows, from + (whole ? rows : capacity)));
    const made = await how.make(session, layout, here, {
      keep: true,
      ranked: whole && request.ranks ? ranked : 0,
    });
    drawn ??= made;
    const { means, errors } = await moments(session, made.matrix, here.length);
    standardErrors.set(errors, from);
    await quantiles(
      session,
      made.matrix,
      means,
      Int32Array.from(here.flatMap((_, k) => [k, -1])),
      quantile,
      zeros,
      (statistics, k) => quantile.write(statistics, k, rowOut, (from + k) * probabilities.length),
    );
    if (band) await raiseBand(session, made.matrix, here, points, standardErrors, band);
    if (pairOut && whole)
      await quantiles(
        session,
        made.matrix,
        means,
        pairItems(here, here, 0),
        quantile,
        zeros,
        (statistics, k) => quantile.write(statistics, k, pairOut, k * probabilities.length),
      );
  }

  if (pairOut && !whole) {
    for (let a = 0; a < rows; a += block)
      for (let b = a; b < rows; b += block) {
        arena.reset(start);
        const left = span(a, Math.min(rows, a + block));
        const right = span(b, Math.min(rows, b + block));
        const union = a === b ? left : [...left, ...right];
        const offset = a === b ? 0 : left.length;
        const made = await how.make(session, layout, union, { keep: true, ranked: 0 });
        const { means } = await moments(session, made.matrix, union.length);
        const items = pairItems(left, right, offset);
        await quantiles(session, made.matrix, means, items, quantile, zeros, (statistics, k) => {
          const i = a + items[k * 2]!;
          const j = b + items[k * 2 + 1]! - offset;
          quantile.write(statistics, k, pairOut, pairIndex(i, j, rows) * probabilities.length);
        });
      }
  }

  let bandCritical: number | null = null;
  if (bandProbability !== undefined) {
    arena.reset(start);
    const critical = planQuantiles(arena, draws, [bandProbability]);
    const out = new Float64Array(1);
    await quantiles(
      session,
      { values: band, stride: 0, draws },
      arena.put(Float64Array.of(1)),
      Int32Array.of(0, -1),
      critical,
      zeros,
      (statistics) => critical.write(statistics, 0, out, 0),
    );
    bandCritical = out[0]!;
  }
  return {
    draws,
    redraws: drawn!.redraws,
    points,
    standardErrors,
    quantiles: rowOut,
    bandCritical,
    rankCounts: request.ranks ? drawn!.rankCounts : null,
    pairQuantiles: pairOut,
  };
}
