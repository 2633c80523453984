import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Where a kernel has its name (docs/engine.md). Shaders are for the kernels of resampling alone. */
const PLACES = {
  shader: (name: string) => `kernels/${name}.wgsl`,
  oracle: (name: string) => `src/engine/reference/${name}.ts`,
  bench: (name: string) => `bench/${name}.bench.ts`,
  parity: (name: string) => `tests/parity/${name}.test.ts`,
};
type Place = keyof typeof PLACES;

const RESAMPLING: readonly string[] = ['bootstrap', 'philox', 'signflip'];

/** What stands elsewhere, and why. */
const ELSEWHERE: Readonly<Record<string, Partial<Record<Place, string>>>> = {
  answers: {
    oracle: 'src/responses/parser.ts is the parser itself',
    bench: 'bench/parser.bench.ts reads answers as a user does',
    parity: 'tests/responses: against every case of the parser',
  },
  exceedances: {
    oracle: 'src/engine/reference/signflip.ts: flipped sums and their exceedances in one',
    bench: 'bench/signflip.bench.ts, and wide.bench.ts for many rows',
    parity: 'tests/parity/signflip.test.ts counts both',
  },
  heap: { oracle: 'no kernel: an address', bench: 'no kernel', parity: 'no kernel' },
  kept: {
    oracle: 'src/engine/reference/bootstrap.ts and signflip.ts: the sums that drawing gives',
    bench: 'bench/explorer.js: choices of a reader that draw nothing',
    parity: 'tests/parity/kept-sums.test.ts: the digits of an engine that draws',
  },
  maxt: {
    oracle: 'src/engine/reference/signflip.ts: max-T is formed from flipped sums',
    bench: 'bench/signflip.bench.ts, with and without max-T',
    parity: 'tests/parity/signflip.test.ts asks for max-T',
  },
  names: {
    oracle: 'a hash table of names: a Map says the same',
    bench: 'bench/rescore.bench.ts looks names up',
    parity: 'tests/responses: rows by name',
  },
  numpy: {
    oracle: 'src/engine/numpy.ts and pcg64.ts, public themselves',
    bench: 'bench/bootstrap.bench.ts and signflip.bench.ts, replayed streams',
    parity: 'tests/engine/golden-a.test.ts, and the replays in tests/parity/bootstrap and signflip',
  },
  philox: { oracle: 'src/engine/philox.ts, public itself' },
  reaching: {
    oracle: 'src/engine/reference/stepdown.ts: step-down over all draws, round after round',
    bench: 'bench/stepdown.bench.ts, rank sets and step-down max-T',
    parity: 'tests/parity/stepdown.test.ts rejects what the oracle does',
  },
  reciprocals: {
    oracle: 'src/engine/reference/signflip.ts: errors of pairs, from cluster totals',
    bench: 'bench/signflip.bench.ts asks for max-T',
    parity: 'tests/parity/signflip.test.ts asks for max-T',
  },
  scan: {
    oracle: 'src/responses: the full reader of a line',
    bench: 'bench/rescore.bench.ts reads lines',
    parity: 'tests/responses: every odd line',
  },
  small: {
    oracle: 'src/engine/reference/signflip.ts: sums of 16 bits count what others do',
    bench: 'bench/signflip.bench.ts, a table of 0 and 1',
  },
  tiny: {
    oracle: 'src/engine/reference/signflip.ts: sums of a byte count what others do',
    bench: 'bench/signflip.bench.ts, a table of 0 and 1',
  },
  tinyreach: {
    oracle: 'src/engine/reference/stepdown.ts: step-down over all draws, round after round',
    bench: 'bench/stepdown.bench.ts, and wide.bench.ts for a table of 0 and 1',
    parity: 'tests/parity/tiny.test.ts steps down as the oracle does',
  },
  summary: {
    oracle: 'src/engine/reference/select.ts: both are summaries of bootstrap values',
    bench: 'bench/bootstrap.bench.ts: errors, band',
    parity: 'tests/parity/select.test.ts: summaries on the kernels',
  },
  wide: {
    oracle: 'src/engine/reference/signflip.ts: max-T of sums of any width',
    parity: 'tests/parity/signflip.test.ts asks for max-T of wide totals, and kept-sums.test.ts',
  },
};

/** Files that a file of assembly/ imports from. */
const importsOf = (file: string): string[] =>
  [...readFileSync(`assembly/${file}`, 'utf8').matchAll(/from '\.\/(\w+)'/g)].map((match) => match[1]!);

const names = importsOf('index.ts');

describe('a kernel', () => {
  it('is one of those in assembly/, or a part of one', () => {
    const files = readdirSync('assembly').filter((file) => file.endsWith('.ts') && file !== 'index.ts');
    const parts = files.flatMap(importsOf).filter((name) => !names.includes(name));
    expect([...names, ...new Set(parts)].sort()).toEqual(files.map((file) => basename(file, '.ts')).sort());
  });

  it.each(names)('has one name in five places: %s', (name) => {
    for (const place of Object.keys(PLACES) as Place[]) {
      const path = PLACES[place](name);
      const wanted = place === 'shader' ? RESAMPLING.includes(name) : ELSEWHERE[name]?.[place] === undefined;
      expect([path, existsSync(path)]).toEqual([path, wanted]);
    }
  });

  it('is what every shader and every oracle is of', () => {
    const shaders = readdirSync('kernels').map((file) => basename(file, '.wgsl'));
    expect(shaders.filter((name) => !names.includes(name))).toEqual([]);
    const frame = ['engine', 'maps', 'weights'];
    const oracles = readdirSync('src/engine/reference').map((file) => basename(file, '.ts'));
    expect(oracles.filter((name) => !names.includes(name) && !frame.includes(name))).toEqual([]);
  });
});
