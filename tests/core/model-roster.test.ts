import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRoster, rosterRows } from '../../src/core/model-roster.js';
import { matrixFromCsv } from '../../src/scores/matrix-file.js';
import { FlavourError } from '../../src/util/error.js';
import { noShared, shared } from '../support/shared.js';

const read = (text: string) => readRoster(Buffer.from(text), 'roster');
const ids = async (text: string) => (await read(text)).map(({ modelId }) => modelId);

describe('a roster', () => {
  it('is read from lines, CSV and documents', async () => {
    expect(await ids('a\n\n b \r\nc/d\n')).toEqual(['a', 'b', 'c/d']);
    expect(await ids('["a", "b"]')).toEqual(['a', 'b']);
    expect(await read('model_id,model_name\na,Model A\nb,\n')).toEqual([
      { modelId: 'a', name: 'Model A', slotId: null },
      { modelId: 'b', name: null, slotId: null },
    ]);
    expect(await read('{"models": [{"id": "a", "name": "A", "slot_id": "s1"}]}')).toEqual([
      { modelId: 'a', name: 'A', slotId: 's1' },
    ]);
    expect(await ids('schema: plan\nmodels:\n  - id: a\n    name: A\n  - id: b\n')).toEqual(['a', 'b']);
    expect(await ids('{"analysis": {"models": [{"model_id": "z"}]}}')).toEqual(['z']);
  });

  it.each(['', '[]', '{}', '["a", "a"]', '[{}]', 'a\na\n', 'model_id\n""\n', '{"models": 3}', '[1]', 'models: ['])(
    'is refused as %j',
    async (text) => {
      await expect(read(text)).rejects.toMatchObject({ code: 'SCHEMA_INVALID' });
    },
  );

  it('is read, or refused with an error that names the file, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((j) => `models: ${j}`),
        ),
        async (text) => {
          try {
            expect((await read(text)).length).toBeGreaterThan(0);
          } catch (error) {
            expect(error).toBeInstanceOf(FlavourError);
            expect((error as FlavourError).message).toContain('roster');
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('orders and picks the rows of a matrix', async () => {
    const { matrix } = matrixFromCsv('model,task,panel,family,cluster,value\na,t,p,f,c,1\nb,t,p,f,c,2\nd,t,p,f,c,3\n', {
      file: 'm.csv',
    });
    const { matrix: picked } = rosterRows({ matrix }, await read('d\na\n'));
    expect(picked.models).toEqual(['d', 'a']);
    expect([...picked.values]).toEqual([3, 1]);
    expect(() => rosterRows({ matrix }, [{ modelId: 'x', name: null, slotId: null }])).toThrow(/"x"/);
  });

  it.skipIf(noShared)('is read from the released route manifest', async () => {
    const [name] = readdirSync(shared('data/manifest'));
    const roster = await readRoster(readFileSync(shared(`data/manifest/${name}`)), 'manifest');
    expect(roster).toHaveLength(27);
    expect(roster[0]).toEqual({
      modelId: 'openai/gpt-5.6-sol-pro',
      name: 'OpenAI: GPT-5.6 Sol Pro',
      slotId: 'frontier-refresh-01',
    });
  });
});

describe('a matrix of any text in CSV', () => {
  it('is read or refused by name', () => {
    const cell = fc.constantFrom('a', 'b', '', '1', '-2', '0.5', 'NaN', '"x"', '1e400', '\u2028');
    const row = fc.array(cell, { minLength: 5, maxLength: 7 }).map((cells) => cells.join(','));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
        const text = ['model,task,panel,family,cluster,value', ...rows].join('\n');
        try {
          const { matrix } = matrixFromCsv(text, { file: 'm.csv' });
          expect(matrix.values.length).toBe(matrix.models.length * matrix.tasks.length);
          expect(matrix.values.every(Number.isSafeInteger)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(FlavourError);
          expect((error as FlavourError).message).toContain('m.csv');
        }
      }),
      { numRuns: 500 },
    );
  });
});
