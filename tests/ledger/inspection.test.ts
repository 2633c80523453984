import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalJson, sealed } from '../../src/io/canonical.js';
import { countInspections, listInspections, stampInspection } from '../../src/ledger/inspection.js';
import { layout } from '../../src/ledger/ledger-folder.js';
import { ledgerStatus } from '../../src/ledger/ledger-status.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { cliInline } from '../support/cli-inline.js';
import { freshFolder } from '../support/folders.js';
import { answerDraft, bindingFor, openLedger } from './support.js';

const LOOK = { at: '2026-08-21T00:00:00.000Z', records: 1 };

/** A ledger of one record that was looked at, and in which another record was written since unless `last`. */
async function lookedAt(last = false): Promise<{ dir: string; stamp: string }> {
  const dir = freshFolder();
  const ledger = await openLedger(dir);
  await ledger.putRecord(ledger.compose(bindingFor({ task: 'a' }), answerDraft()));
  const stamp = await stampInspection(ledger, LOOK);
  if (!last) await ledger.putRecord(ledger.compose(bindingFor({ task: 'b' }), answerDraft()));
  await ledger.close();
  return { dir, stamp };
}

const fileOf = (dir: string, stamp: string) => join(layout.inspections(dir), `inspection-${stamp}.json`);
const problems = (dir: string) => verifyLedger(dir).problems.map(({ what }) => what);
const counted = (dir: string) => countInspections(viewLedger(dir));
const journal = (dir: string, change: (lines: string[]) => string[]) => {
  const lines = readFileSync(layout.journal(dir), 'utf8').trimEnd().split('\n');
  writeFileSync(layout.journal(dir), `${change(lines).join('\n')}\n`);
};
const isLook = (line: string) => line.includes('"type":"scores_inspected"');

/** Writes a stamp as version 0.1.0 did: a file, and nothing in the journal. */
function stampFile(dir: string): string {
  const stamp = sealed({ schema: 'flavourbench-inspection/1', ...LOOK, scores_inspected: true });
  mkdirSync(layout.inspections(dir), { recursive: true });
  writeFileSync(fileOf(dir, stamp.artifact_sha256), `${canonicalJson(stamp)}\n`);
  return stamp.artifact_sha256;
}

describe('a look at the scores of a ledger', () => {
  it('stands in the chain of the journal before the ledger is closed, and is counted', async () => {
    const { dir, stamp } = await lookedAt(true);
    expect([...viewLedger(dir).state.inspections]).toEqual([stamp]);
    expect(counted(dir)).toBe(1);
    expect(problems(dir)).toEqual([]);
    expect(ledgerStatus(viewLedger(dir), listInspections(dir)).scores_inspected).toBe(1);
  });

  it('is still told of when its stamp is deleted, by verification and freeze', async () => {
    const { dir, stamp } = await lookedAt();
    rmSync(layout.inspections(dir), { recursive: true });
    expect(problems(dir)).toEqual([`stamp ${stamp} is missing`]);
    expect(() => counted(dir)).toThrow(expect.objectContaining({ code: 'LEDGER_DAMAGED', exit: 4 }));
    expect(ledgerStatus(viewLedger(dir), []).scores_inspected).toBe(1);
  });

  it('is found when its stamp is altered, under its old name or under a new one', async () => {
    const { dir, stamp } = await lookedAt();
    const path = fileOf(dir, stamp);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('2026-08-21', '2027-08-21'));
    expect(problems(dir)).toEqual([expect.stringContaining('artifact_sha256')]);
    expect(() => counted(dir)).toThrow(expect.objectContaining({ code: 'DIGEST_MISMATCH' }));
    rmSync(path);
    const later = sealed({ ...JSON.parse(text), at: '2027-08-21T00:00:00.000Z' });
    writeFileSync(fileOf(dir, later.artifact_sha256), `${canonicalJson(later)}\n`);
    expect(problems(dir)).toEqual([`stamp ${stamp} is missing`]);
    expect(() => counted(dir)).toThrow(expect.objectContaining({ code: 'LEDGER_DAMAGED' }));
  });

  it('breaks the chain when its line is taken out, blanked or moved', async () => {
    for (const change of [
      (lines: string[]) => lines.filter((line) => !isLook(line)),
      (lines: string[]) =>
        lines.map((line) => (isLook(line) ? line.replace(/"event":\{.*\},/, '"event":null,') : line)),
      (lines: string[]) => [...lines.filter((line) => !isLook(line)), lines.find(isLook)!],
    ]) {
      const { dir } = await lookedAt();
      journal(dir, change);
      expect(() => viewLedger(dir)).toThrow(expect.objectContaining({ code: 'LEDGER_DAMAGED', exit: 4 }));
    }
  });

  it('is entered again when its line was the last one and was cut off', async () => {
    const { dir } = await lookedAt(true);
    journal(dir, (lines) => lines.slice(0, -1));
    expect(verifyLedger(dir).repairable).toContain('1 looks at scores are not in the journal yet');
    expect(() => counted(dir)).toThrow(expect.objectContaining({ code: 'INCOMPLETE', exit: 3 }));
    await (await openLedger(dir)).close();
    expect([counted(dir), problems(dir)]).toEqual([1, []]);
  });

  it('that version 0.1.0 stamped beside the journal is entered by the next writer, which the refusal names', async () => {
    const dir = freshFolder();
    await (await openLedger(dir)).close();
    const stamp = stampFile(dir);
    expect(() => counted(dir)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining(`ledger seal ${dir}`) }),
    );
    const sealing = await cliInline(['ledger', 'seal', dir]);
    expect([sealing.code, sealing.stderr]).toEqual([0, '']);
    expect([...viewLedger(dir).state.inspections]).toEqual([stamp]);
    expect(counted(dir)).toBe(1);
  });

  it('is refused, and shows nothing, while another process writes', async () => {
    const { dir } = await lookedAt();
    const writer = await openLedger(dir);
    const look = ['ledger', 'status', dir, '--live-scores', '--tasks', 'fixtures/tasks-small.json'];
    const refused = await cliInline(look);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('LEDGER_LOCKED') });
    await writer.close();
    expect(readdirSync(layout.inspections(dir))).toHaveLength(1);
  });
});
