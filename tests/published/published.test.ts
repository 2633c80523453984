import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noShared, released } from '../support/shared.js';
import { boardValues } from './boards.js';
import { checkpointValues } from './checkpoints.js';
import { documentedValues } from './documented.js';
import { type Document, primaryTransfer, publicInputs, syntheticAnalyses, type TransferDocument } from './inputs.js';
import { selectionValues } from './selection.js';
import { substitutionValues } from './substitutions.js';
import { transferValues } from './transfer.js';
import { fileValues } from './transfer-files.js';
import { PublishedValues } from './values.js';

/** Every published value is reproduced, follows from others, or stands in docs/published-values.md with what it needs. */
describe.skipIf(noShared)('published values (released data needed)', () => {
  const published = released(() => new PublishedValues());
  const inputs = released(publicInputs);
  let folder: string;
  let analyses: (name: string) => Document;
  let transfer: TransferDocument;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'published-'));
    analyses = await syntheticAnalyses(folder);
    transfer = await primaryTransfer(join(folder, 'transfer'));
  }, 240_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const analysis = (name: string) => analyses(name);
  boardValues(published, inputs, analysis);
  selectionValues(published, inputs, analysis);
  checkpointValues(published, inputs, analysis);
  substitutionValues(published, analysis);
  transferValues(published, inputs, () => transfer);
  fileValues(published, inputs);

  it('stand in the documentation, each under what it was compared with, or what it needs', () => {
    const documented = documentedValues();
    const keys = published.keys();
    for (const key of keys)
      expect(documented.rowsOf(key), `rows of docs/published-values.md for ${key}`).toEqual([
        published.compared.get(key) ?? { basis: 'missing', how: null },
      ]);
    const counted = (part: 'basis' | 'how', value: string | undefined) =>
      keys.filter((key) => published.compared.get(key)?.[part] === value).length;
    expect(documented.totals).toEqual([
      ...['inputs', 'values', undefined].map((basis) => counted('basis', basis)),
      ...['recomputed', 'constant', 'document'].map((how) => counted('how', how)),
    ]);
    for (const { pattern, count, matches } of documented.rows) {
      expect(keys.filter(matches).length, pattern).toBe(count);
    }
  });
});
