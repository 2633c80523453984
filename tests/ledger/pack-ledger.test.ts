import { parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { readArrow } from '../../src/io/arrow.js';
import { sha256 } from '../../src/io/digest.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { packLedger } from '../../src/ledger/pack-ledger.js';
import { freshFolder } from '../support/folders.js';
import { answerDraft, bindingFor, failureDraft, openLedger } from './support.js';

async function ledgerOf(order: readonly string[]): Promise<string> {
  const dir = freshFolder();
  const ledger = await openLedger(dir);
  for (const task of order) {
    const binding = bindingFor({ task });
    const draft = task === 'c' ? failureDraft('refusal') : answerDraft('Grüße 你好\nFINAL_SELECTION: A,B,C');
    await ledger.putRecord(ledger.compose(binding, draft));
  }
  await ledger.close();
  return dir;
}

const fileOf = (pack: Awaited<ReturnType<typeof packLedger>>, name: string) =>
  pack.files.find((file) => file.name === name)!.bytes;

describe('ledger pack', () => {
  it('writes validity and observations whose digests its document states', async () => {
    const pack = await packLedger(viewLedger(await ledgerOf(['a', 'c', 'b'])), 'arrow');
    const document = JSON.parse(Buffer.from(fileOf(pack, 'pack.json')).toString());
    for (const { name, sha256: stated } of document.files) expect(sha256(fileOf(pack, name))).toBe(stated);
    const validity = await readArrow(fileOf(pack, 'validity.arrow'), 'v');
    expect(validity.column('task')).toEqual(['a', 'b', 'c']);
    expect(validity.column('completed')).toEqual([true, true, false]);
    expect(validity.column('parseable')).toEqual([true, true, false]);
    expect(validity.metadata.get('record_set_sha256')).toBe(document.record_set_sha256);
    const observations = await readArrow(fileOf(pack, 'observations.arrow'), 'o');
    expect(observations.column('answer')).toEqual([
      'Grüße 你好\nFINAL_SELECTION: A,B,C',
      'Grüße 你好\nFINAL_SELECTION: A,B,C',
      null,
    ]);
    expect(observations.names.some((name) => /score|bps|optimal/.test(name))).toBe(false);
  });

  it('gives the same bytes whatever the order of collection', async () => {
    const [one, two] = await Promise.all(
      [
        ['a', 'b', 'c'],
        ['c', 'b', 'a'],
      ].map(async (order) => packLedger(viewLedger(await ledgerOf(order)), 'arrow')),
    );
    expect(fileOf(one!, 'observations.arrow')).toEqual(fileOf(two!, 'observations.arrow'));
    expect(fileOf(one!, 'validity.arrow')).toEqual(fileOf(two!, 'validity.arrow'));
  });

  it('writes Parquet that reads back', async () => {
    const pack = await packLedger(viewLedger(await ledgerOf(['a', 'c'])), 'parquet');
    const bytes = fileOf(pack, 'observations.parquet');
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    const rows = await parquetReadObjects({ file });
    expect(rows).toMatchObject([
      { task: 'a', completed: true, parseable: true, cost_micros: 1500, repeat: 0 },
      { task: 'c', completed: false, outcome: 'refusal', answer: null },
    ]);
  });
});
