import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClusterDesign, weighing } from '../../src/engine/design.js';
import type { BootstrapRequest, Engine, FlipRequest } from '../../src/engine/engine.js';
import { createKernelEngine } from '../../src/engine/wasm/engine.js';
import { kernelModule } from '../../src/engine/wasm/module.js';
import { inlineRunner, type Job } from '../../src/engine/wasm/runner.js';
import { designOf } from '../support/golden-design.js';
import { buildDesign, designShape, rankSetRequest } from '../support/random-design.js';

/** The same parts with strata weighed, and without some rows. */
function derivedDesign(design: ClusterDesign, weights: readonly number[], without: readonly number[]): ClusterDesign {
  const { rows, ranked, strata, partStratum, partTotals } = design;
  // The sum of the weights is a multiple of their number.
  const own = Array.from({ length: strata }, (_, s) => strata * weights[s % weights.length]!);
  const kept = Array.from({ length: rows }, (_, m) => m).filter((m) => !without.includes(m) || m >= ranked || m === 0);
  return {
    ...design,
    rows: kept.length,
    ranked: kept.filter((m) => m < ranked).length,
    weights: own,
    scale: design.scale * weighing({ weights: own, strata }),
    partTotals: Float64Array.from(
      partStratum.length === 0
        ? []
        : [...partStratum].flatMap((s, p) => kept.map((m) => own[s]! * partTotals[p * rows + m]!)),
    ),
  };
}

const random = (seed: bigint, stream: number) => ({ kind: 'philox', seed, stream }) as const;

const bootstrapOf = (design: ClusterDesign, draws: number, seed: bigint): BootstrapRequest => ({
  ...{ draws, random: random(seed, 0), scheme: 'joint', probabilities: [0.025, 0.975], bandProbability: 0.95 },
  ...{ ranks: 'shared', pairs: true, rankSets: design.ranked > 1 ? rankSetRequest(design, 0.1) : undefined },
});

const flipsOf = (test: 'centred' | 'sign-flip', draws: number, seed: bigint): FlipRequest => ({
  ...{ draws, random: random(seed, 1), test, maxT: true, stepDown: { alpha: 0.1 } },
});

const said = <T>(work: Promise<T>): Promise<T | string> => work.catch((error: Error) => error.message);

async function everything(engine: Engine, design: ClusterDesign, draws: number, seed: bigint) {
  return {
    bootstrap: await said(engine.bootstrap(design, bootstrapOf(design, draws, seed))),
    centred: await said(engine.flips(design, flipsOf('centred', draws, seed))),
    plain: await said(engine.flips(design, flipsOf('sign-flip', draws, seed))),
  };
}

/** An engine that keeps its sums, and the jobs that it ran since they were last read; it can be broken off after the next jobs that make any. */
function keeping() {
  const jobs: Job[] = [];
  let breaking = false;
  const engine = createKernelEngine({
    ...{ module: kernelModule(), keepSums: true },
    runner({ kernels, memory }) {
      const inline = inlineRunner(kernels, memory);
      return {
        ...inline,
        async run(list, scratch, how) {
          jobs.push(...list);
          await inline.run(list, scratch, how);
          if (!breaking || !list.some(({ kind }) => kind === 'draws' || kind === 'flips')) return;
          breaking = false;
          throw new Error('broken off');
        },
      };
    },
  });
  const breakOff = () => {
    breaking = true;
  };
  return { engine, ran: () => jobs.splice(0), breakOff };
}

/** Tasks of a table in three strata. */
function threeStrata(stratumOf: (task: number) => number): ClusterDesign {
  return designOf({
    table: Array.from({ length: 9 }, (_, m) => Array.from({ length: 120 }, (_, t) => (t * 7919 + m * m * 977) % 6007)),
    stratum: Array.from({ length: 120 }, (_, t) => stratumOf(t)),
    cluster: Array.from({ length: 120 }, (_, t) => (t >> 1) % 50),
    ranked: 9,
  });
}

/** Strata of one size: residuals of the centred test are then whole numbers of 64 bits, unrounded. */
const evenDesign = () => threeStrata((t) => t % 3);

/** Strata of 53, 37 and 30 tasks: residuals are then rounded. */
const unevenDesign = () => threeStrata((t) => (t < 53 ? 0 : t < 90 ? 1 : 2));

describe('an engine that keeps sums', () => {
  it('gives the digits of one that draws, over random designs, weights and rows left out', async () => {
    const bare = createKernelEngine({ module: kernelModule() });
    await fc.assert(
      fc.asyncProperty(
        designShape(60),
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(20), { maxLength: 4 }),
        fc.integer({ min: 1, max: 1500 }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        async (shape, weights, without, draws, seed) => {
          const { engine } = keeping();
          const design = buildDesign({ ...shape, rows: Math.min(shape.rows, 20) });
          const others = [
            derivedDesign(design, [1], without),
            derivedDesign(design, weights, []),
            derivedDesign(design, weights, without),
          ];
          for (const one of [design, ...others])
            expect(await everything(engine, one, draws, seed)).toEqual(await everything(bare, one, draws, seed));
        },
      ),
      { numRuns: 15 },
    );
  });

  it('draws and flips nothing for other weights, fewer rows and the other test', async () => {
    const { engine, ran } = keeping();
    const design = evenDesign();
    const made = (jobs: readonly Job[]) => ({
      draws: jobs.filter((job) => job.kind === 'draws' && job.source.kind !== 'sums').length,
      flips: jobs.filter((job) => job.kind === 'flips' && job.tables.wide && job.sums === 'made').length,
      strata: jobs.filter((job) => job.kind === 'flips' && job.sums === 'only').length,
    });
    await everything(engine, design, 2000, 3n);
    const first = made(ran());
    expect(first.draws).toBeGreaterThan(0);
    expect(first.strata).toBeGreaterThan(0);
    expect(first.flips).toBe(0);
    for (const other of [derivedDesign(design, [2, 1, 1], []), derivedDesign(design, [1], [4, 7])]) {
      await everything(engine, other, 2000, 3n);
      expect(made(ran())).toEqual({ draws: 0, flips: 0, strata: 0 });
    }
    await everything(engine, design, 2000, 4n);
    expect(made(ran())).toEqual(first);
  });

  it('flips only what rounding left where strata differ in size, and that once for each set of weights', async () => {
    const { engine, ran } = keeping();
    const bare = createKernelEngine({ module: kernelModule() });
    const design = unevenDesign();
    /** Lanes of the totals that were flipped, of all draws of a call together. */
    const flipped = async (other: ClusterDesign) => {
      const found = await everything(engine, other, 2000, 3n);
      const jobs = ran().filter((job) => job.kind === 'flips');
      expect(found.centred).toMatchObject({ weights: { kind: 'rounded' } });
      expect(found).toEqual(await everything(bare, other, 2000, 3n));
      expect(jobs.filter(({ tables, sums }) => tables.wide && sums === 'made')).toEqual([]);
      return [...new Set(jobs.filter(({ sums }) => sums === 'only').map(({ tables }) => tables.rows))];
    };
    expect(await flipped(design)).toEqual([30, 12]);
    expect(await flipped(derivedDesign(design, [2, 1, 1], []))).toEqual([12]);
    expect(await flipped(derivedDesign(design, [2, 1, 1], [4]))).toEqual([]);
    expect(await flipped(derivedDesign(design, [1], [4, 7]))).toEqual([8]);
  });

  it('flips rounded totals of new draws as they are, and strata once they are asked for again', async () => {
    const { engine, ran } = keeping();
    const design = unevenDesign();
    const other = derivedDesign(design, [2, 1, 1], []);
    const centred = async (of: ClusterDesign, seed: bigint) => {
      await engine.flips(of, flipsOf('centred', 2000, seed));
      return [...new Set(ran().flatMap((job) => (job.kind === 'flips' && !job.maximaOnly ? job.sums : [])))];
    };
    expect(await centred(design, 3n)).toEqual(['only', 'given']);
    expect(await centred(design, 4n)).toEqual(['made']);
    expect(await centred(other, 3n)).toEqual(['only', 'given']);
    expect(await centred(other, 4n)).toEqual(['only', 'given']);
    expect(await centred(design, 5n)).toEqual(['made']);
  });

  it.each([
    ['even', evenDesign],
    ['uneven', unevenDesign],
  ])('takes nothing from draws or flips that were broken off, of %s strata', async (_, make) => {
    const design = make();
    const other = derivedDesign(design, [2, 1, 1], [4]);
    const expected = await everything(createKernelEngine({ module: kernelModule() }), other, 700, 3n);
    for (const work of [
      (engine: Engine) => engine.bootstrap(design, bootstrapOf(design, 700, 4n)),
      (engine: Engine) => engine.flips(design, flipsOf('centred', 700, 4n)),
    ]) {
      const { engine, breakOff } = keeping();
      await everything(engine, design, 700, 3n);
      breakOff();
      await expect(work(engine)).rejects.toThrow('broken off');
      expect(await everything(engine, other, 700, 3n)).toEqual(expected);
    }
  });
});
