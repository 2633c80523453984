import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/index.js';
import { runInference } from '../../src/inference/infer.js';
import { strataOf } from '../../src/inference/strata.js';
import { matrixFromCsv } from '../../src/scores/matrix-file.js';
import { joinedKey, joinedNames } from '../../src/util/joined.js';
import { noShared, shared } from '../support/shared.js';

const columns = (pairs: readonly (readonly [string, string])[]) => ({
  tasks: pairs.map((_, t) => `t${t}`),
  panels: pairs.map(([panel]) => panel),
  families: pairs.map(([, family]) => family),
});

describe('names that only collide when they are joined', () => {
  it('are quoted, all of them; others stay as they are', () => {
    const collide = [
      ['x/y', 'z'],
      ['x', 'y/z'],
      ['p', 'q'],
    ] as const;
    expect(joinedNames(collide, '/')).toEqual(['"x/y"/"z"', '"x"/"y/z"', '"p"/"q"']);
    expect(joinedNames([...collide.slice(1), ['x', 'y/z']], '/')).toEqual(['x/y/z', 'p/q', 'x/y/z']);
    expect(joinedKey('a\0b', 'c')).not.toBe(joinedKey('a', 'b\0c'));
  });

  it('are two strata under panels, whatever their labels; and families alone are as they are', () => {
    const matrix = columns([
      ['x/y', 'z'],
      ['x', 'y/z'],
      ['x/y', 'z'],
    ]);
    const strata = strataOf(matrix, 'panel-family');
    expect([[...strata.ofTask], [...strata.sizes]]).toEqual([
      [0, 1, 0],
      [2, 1],
    ]);
    expect(strata.labels).toEqual(['"x/y"/"z"', '"x"/"y/z"']);
    expect(strataOf(matrix, 'family').labels).toEqual(['z', 'y/z']);
  });

  it('stand in the order of panels and families, and keep their plain labels where these differ', () => {
    const matrix = columns([
      ['q', 'other'],
      ['p', 'pairing'],
      ['q', 'pairing'],
      ['p', 'substitution'],
    ]);
    const strata = strataOf(matrix, 'panel-family');
    expect(strata.labels).toEqual(['q/pairing', 'q/other', 'p/substitution', 'p/pairing']);
    expect([...strata.ofTask]).toEqual([1, 3, 0, 2]);
  });

  it.skipIf(noShared)('weigh half each in a score (released data needed)', async () => {
    const text = readFileSync(shared('cases/clusters/coll.csv'), 'utf8');
    const { matrix } = matrixFromCsv(text, { file: 'coll.csv', scale: 100 });
    const engine = await createEngine();
    const { models, strata } = await runInference({ matrix, engine, plan: { draws: 100, flips: 100 } });
    await engine.close();
    expect(strata).toMatchObject([
      { label: '"x/y"/"z"', tasks: 15 },
      { label: '"x"/"y/z"', tasks: 5 },
    ]);
    expect(models.map(({ score }) => score)).toEqual([5, 5]);
    expect(Object.keys(models[0]!.stratumScores)).toHaveLength(2);
  });
});
