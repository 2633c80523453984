import { engineAround } from '../../engine/around.js';
import type { ClusterDesign } from '../../engine/design.js';
import type {
  BootstrapRequest,
  Engine,
  ExactFlipRequest,
  FlipCounts,
  StudentisedRequest,
} from '../../engine/engine.js';

/** Results that are kept, of all calls together: those of a few choices. */
const KEPT = 24;

type Kind = 'bootstrap' | 'studentised' | 'flips' | 'exactFlips';
type Request = BootstrapRequest | StudentisedRequest | ExactFlipRequest;

interface Kept {
  readonly kind: Kind;
  readonly design: ClusterDesign;
  readonly request: Request;
  readonly result: Promise<unknown>;
}

/** A value with its typed arrays and large integers as texts. */
const written = (value: unknown): string =>
  JSON.stringify(value, (key, own: unknown) => {
    if (key === 'signal' || key === 'onProgress') return undefined;
    if (typeof own === 'bigint') return `${own}n`;
    return ArrayBuffer.isView(own) ? Array.from(own as Float64Array) : own;
  });

function sameDesign(a: ClusterDesign, b: ClusterDesign): boolean {
  if (a === b) return true;
  const { partTotals: left, partCluster: one, partTasks: tasks, partStratum: strata, ...rest } = a;
  const { partTotals: right, partCluster: two, partTasks: others, partStratum: parts, ...other } = b;
  const same = (x: ArrayLike<number>, y: ArrayLike<number>) => {
    if (x.length !== y.length) return false;
    for (let i = 0; i < x.length; i += 1) if (x[i] !== y[i]) return false;
    return true;
  };
  return (
    same(left, right) &&
    same(one, two) &&
    same(tasks, others) &&
    same(strata, parts) &&
    JSON.stringify(rest) === JSON.stringify(other)
  );
}

/** The request without step-down: counts of its draws are those of the same request with it. */
const plainFlips = ({ stepDown: _, ...request }: ExactFlipRequest): ExactFlipRequest => request;

/**
 * Makes an engine that answers a call which it has answered before without drawing again, and flips without step-down from those with it. Results are
 * shared between callers, who do not change them; calls that fail or are stopped are not kept.
 */
export function keptEngine(engine: Engine): Engine {
  const kept: Kept[] = [];
  const ask = <R>(kind: Kind, design: ClusterDesign, request: Request, make: () => Promise<R>): Promise<R> => {
    const text = written(request);
    const found = kept.find(
      (one) => one.kind === kind && written(one.request) === text && sameDesign(one.design, design),
    );
    // Whoever asked first may stop it: the call is then made again.
    if (found) return (found.result as Promise<R>).catch(() => ask(kind, design, request, make));
    const result = make();
    const entry = { kind, design, request, result };
    kept.push(entry);
    if (kept.length > KEPT) kept.shift();
    result.catch(() => {
      // It may have made room for others meanwhile.
      const at = kept.indexOf(entry);
      if (at >= 0) kept.splice(at, 1);
    });
    return result;
  };
  const flips = <Q extends ExactFlipRequest>(
    kind: 'flips' | 'exactFlips',
    design: ClusterDesign,
    request: Q,
    make: () => Promise<FlipCounts>,
  ): Promise<FlipCounts> => {
    if (!request.stepDown) {
      const text = written(request);
      const found = kept.find(
        (one) =>
          one.kind === kind &&
          'stepDown' in one.request &&
          one.request.stepDown !== undefined &&
          written(plainFlips(one.request)) === text &&
          sameDesign(one.design, design),
      );
      if (found)
        return (found.result as Promise<FlipCounts>).then(
          (counts) => ({ ...counts, maxTStep: null }),
          () => ask(kind, design, request, make),
        );
    }
    return ask(kind, design, request, make);
  };
  return engineAround(engine, {
    bootstrap: (design, request) => ask('bootstrap', design, request, () => engine.bootstrap(design, request)),
    studentised: (design, request) => ask('studentised', design, request, () => engine.studentised(design, request)),
    flips: (design, request) => flips('flips', design, request, () => engine.flips(design, request)),
    exactFlips: (design, request) => flips('exactFlips', design, request, () => engine.exactFlips(design, request)),
  });
}
