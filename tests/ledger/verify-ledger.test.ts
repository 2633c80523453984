import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson, sealed } from '../../src/io/canonical.js';
import { sha256 } from '../../src/io/digest.js';
import { stampInspection } from '../../src/ledger/inspection.js';
import { layout } from '../../src/ledger/ledger-folder.js';
import { parseCheck, verifyLedger } from '../../src/ledger/verify-ledger.js';
import { readTaskSet } from '../../src/tasks/task-files.js';
import { freshFolder } from '../support/folders.js';
import { answerDraft, bindingFor, openLedger, startCell } from './support.js';

const { tasks } = readTaskSet('fixtures/tasks-small.json');
let dir: string;
let files: string[];

beforeEach(async () => {
  dir = freshFolder();
  const ledger = await openLedger(dir);
  ledger.putFrozenPlan({ schema: 'test', models: 1 });
  for (const task of tasks.slice(0, 3)) {
    const { id, family, panel } = task;
    const binding = bindingFor({ task: id, family, panel, prompt_sha256: sha256(task.prompt) });
    await startCell(ledger, binding, ['response_received']);
    await ledger.putRecord(ledger.compose(binding, answerDraft()));
  }
  await ledger.close();
  const block = layout.block(dir, 'primary', bindingFor().slot);
  files = readdirSync(block).map((name) => join(block, name));
});

const problems = () => verifyLedger(dir).problems;

describe('ledger verify', () => {
  it('proves a whole ledger, answers included', () => {
    const check = parseCheck(new Map(tasks.map((task) => [task.id, task])));
    expect(verifyLedger(dir, check)).toMatchObject({ records: 3, problems: [], repairable: [] });
  });

  it('finds a record whose answer was changed', () => {
    const [path] = files as [string];
    writeFileSync(path, readFileSync(path, 'utf8').replace('A,B,C', 'A,B,D'));
    expect(problems()).toMatchObject([{ file: path }]);
  });

  it('finds a record that was changed and sealed again under its old name', () => {
    const [path] = files as [string];
    const { artifact_sha256: _, ...record } = JSON.parse(readFileSync(path, 'utf8'));
    record.generation.cost_micros = 0;
    writeFileSync(path, `${canonicalJson(sealed(record))}\n`);
    expect(problems()).toMatchObject([{ file: path }]);
  });

  it('finds a parse that the answer does not bear out', async () => {
    const other = freshFolder();
    const ledger = await openLedger(other);
    const [task] = tasks as [(typeof tasks)[number]];
    const binding = bindingFor({ task: task.id, prompt_sha256: sha256(task.prompt) });
    await ledger.putRecord(ledger.compose(binding, answerDraft('FINAL_SELECTION: F,G,H')));
    await ledger.close();
    const check = parseCheck(new Map(tasks.map((t) => [t.id, t])));
    expect(verifyLedger(other).problems).toEqual([]);
    expect(verifyLedger(other, check).problems).toMatchObject([{ what: 'says ok ABC, its answer parses to ok FGH' }]);
  });

  it('reads an answer with the parser that its record names, and passes no record of another', async () => {
    const other = freshFolder();
    const ledger = await openLedger(other);
    const thought = 'a draft: FINAL_SELECTION: A,B,C\n</think>\nFINAL_SELECTION: D,E,F';
    const parses = [
      { parser: 'flavourbench-selection-set-parser-v3', outcome: 'contradictory', selection: null },
      { parser: 'flavourbench-selection-set-parser-v4', outcome: 'ok', selection: 'DEF', inline_reasoning: true },
      { parser: 'flavourbench-selection-set-parser-v4', outcome: 'ok', selection: 'DEF', inline_reasoning: false },
      { parser: 'flavourbench-selection-set-parser-v4', outcome: 'contradictory', selection: null },
      { parser: 'flavourbench-selection-set-parser-v9', outcome: 'ok', selection: 'DEF' },
    ];
    for (const [i, parse] of parses.entries()) {
      const task = tasks[i]!;
      const binding = bindingFor({ task: task.id, prompt_sha256: sha256(task.prompt) });
      await ledger.putRecord(ledger.compose(binding, { ...answerDraft(thought), parse }));
    }
    await ledger.close();
    const found = verifyLedger(other, parseCheck(new Map(tasks.map((t) => [t.id, t])))).problems;
    expect(found.map(({ what }) => what).sort()).toEqual([
      'says contradictory , its answer parses to ok DEF',
      'states inline_reasoning false, its answer gives true',
      'was read with "flavourbench-selection-set-parser-v9", which is no parser of this version',
    ]);
  });

  it('finds a changed manifest and a missing stamp', async () => {
    const manifest = readdirSync(dir).find((name) => name.startsWith('manifest-'))!;
    const path = join(dir, manifest);
    writeFileSync(path, readFileSync(path, 'utf8').replace('"models":1', '"models":2'));
    expect(problems()).toMatchObject([{ file: path }]);
    const ledger = await openLedger(dir);
    const stamp = await stampInspection(ledger, { at: 'now', records: 3 });
    await ledger.close();
    rmSync(join(layout.inspections(dir), `inspection-${stamp}.json`));
    expect(problems().map((p) => p.what)).toContainEqual(`stamp ${stamp} is missing`);
  });
});
