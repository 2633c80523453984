import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/io/digest.js';
import { pyCanonical, pySealed, pyStored } from '../../src/io/pyjson.js';
import { enterLog, readLog } from '../../src/ledger/import-log.js';
import { viewLedger } from '../../src/ledger/ledger-view.js';
import { pendingCells } from '../../src/ledger/resume.js';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { readTaskFiles } from '../../src/tasks/task-files.js';
import { freshFolder } from '../support/folders.js';
import { answerDraft, bindingFor, openLedger, startCell } from './support.js';

const { byId, tasks } = readTaskFiles(['fixtures/tasks-small.json']);
const [first, second] = tasks as [(typeof tasks)[number], (typeof tasks)[number]];
const SMALL = 'fixtures/responses-small.jsonl';

const options = { tasks: byId, label: 'old run', phase: 'primary' } as const;

async function importing(file: string, changes: Partial<Parameters<typeof readLog>[0]> = {}, dir = freshFolder()) {
  const ledger = await openLedger(dir);
  try {
    return { dir, result: await enterLog(ledger, readLog({ ...options, file, ...changes })) };
  } finally {
    await ledger.close();
  }
}

function fileOf(lines: readonly object[]): string {
  const path = join(freshFolder(), 'log.jsonl');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

describe('answers of a laboratory log', () => {
  it('become records marked as imported, once', async () => {
    const { dir, result } = await importing(SMALL);
    expect(result).toEqual({ written: 216, known: 0, parseable: 216 });
    expect((await importing(SMALL, {}, dir)).result).toEqual({
      written: 0,
      known: 216,
      parseable: 216,
    });
    expect(verifyLedger(dir)).toMatchObject({ problems: [], records: 216 });
    const heads = [...viewLedger(dir).state.cells.values()].map((cell) => cell.head);
    expect(heads.every((head) => head?.source === 'imported' && !head.rank_eligible)).toBe(true);
  });

  it('that are records of a ledger are proved against their own digest', async () => {
    const dir = freshFolder();
    const ledger = await openLedger(dir);
    const binding = bindingFor({ task: first.id });
    await startCell(ledger, binding, ['response_received']);
    await ledger.putRecord(ledger.compose(binding, answerDraft()));
    await ledger.close();
    const [file] = [...viewLedger(dir).files.values()];
    const record = readFileSync(file!.path, 'utf8');
    const log = (text: string) => {
      const path = join(freshFolder(), 'log.jsonl');
      writeFileSync(path, text);
      return path;
    };
    expect((await importing(log(record))).result).toMatchObject({ written: 1, parseable: 1 });
    for (const changed of [
      record.replace('A,B,C', 'A,B,D'),
      record.replace(/"artifact_sha256":"[^"]*",/, ''),
      record.replace('1500', 'NaN'),
    ])
      await expect(importing(log(changed))).rejects.toThrow(
        expect.objectContaining({ code: 'DIGEST_MISMATCH', exit: 4 }),
      );
  });

  it('are refused where they are no UTF-8', async () => {
    const path = join(freshFolder(), 'log.jsonl');
    const row = JSON.stringify({ task_id: first.id, model: 'm', response: 'FINAL_SELECTION: A,B,C @' });
    writeFileSync(path, Buffer.from(`${row}\n`.replace('@', '\xff'), 'latin1'));
    await expect(importing(path)).rejects.toThrow(expect.objectContaining({ code: 'TEXT_INVALID_UTF8' }));
  });

  it('are never taken for answers of a collection', async () => {
    const { dir } = await importing(SMALL);
    const ledger = await openLedger(dir);
    const planned = bindingFor({
      model_id: 'another/model',
      task: first.id,
      prompt_sha256: sha256(first.prompt),
    });
    expect(pendingCells(ledger.state, [planned]).pending).toEqual([planned]);
    const same = bindingFor({ model_id: 'simulated/skill-45', task: first.id });
    expect(() => pendingCells(ledger.state, [same])).toThrow(/holds records of contract/);
    await ledger.close();
  });

  it('keep failures as failures and samples of a task apart', async () => {
    const file = fileOf([
      { task_id: first.id, model: 'm', response: 'FINAL_SELECTION: A,B,C' },
      { task_id: first.id, model: 'm', response: 'FINAL_SELECTION: A,B,D' },
      { task_id: second.id, model: 'm', status: 'failed', response: null },
    ]);
    const { dir, result } = await importing(file);
    expect(result).toEqual({ written: 3, known: 0, parseable: 2 });
    const heads = [...viewLedger(dir).state.cells.values()].map((cell) => cell.head);
    expect(heads.map((h) => [h?.status, h?.outcome, h?.repeat])).toEqual([
      ['completed', 'completed', 0],
      ['completed', 'completed', 1],
      ['failed', 'failed_status', 0],
    ]);
  });

  it.each([
    ['an unknown task', { task_id: 'nowhere', model: 'm', response: 'x' }, 'TASK_UNKNOWN'],
    ['a row without a model', { task_id: first.id, response: 'x' }, 'USAGE'],
    ['a selection without its text', { task_id: first.id, model: 'm', selection: 'ABC' }, 'SCHEMA_INVALID'],
  ])('stop the whole import with the line of %s', async (_, row, code) => {
    const good = { task_id: second.id, model: 'm', response: 'FINAL_SELECTION: A,B,C' };
    const dir = freshFolder();
    await expect(importing(fileOf([good, row]), {}, dir)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(', line 2:'),
    });
    expect(viewLedger(dir).files.size).toBe(0);
  });
});

describe('a log that adds nothing or contradicts', () => {
  it('is refused: one without an answer, and another one about the same cells', async () => {
    const empty = fileOf([]);
    expect(() => readLog({ ...options, file: empty })).toThrow(/holds no answer/);
    const row = { task_id: first.id, model: 'm', response: 'FINAL_SELECTION: A,B,C' };
    const { dir } = await importing(fileOf([row]));
    const other = fileOf([{ ...row, response: 'FINAL_SELECTION: A,B,D' }]);
    await expect(importing(other, {}, dir)).rejects.toMatchObject({
      code: 'LEDGER_CONFLICT',
      exit: 4,
      message: expect.stringContaining(`model m and task ${first.id}, from old run`),
    });
  });
});

describe('released response documents', () => {
  const released = (changes: Record<string, unknown> = {}) =>
    pySealed({
      schema_version: 'flavourbench-powered-response-v1',
      status: 'completed',
      recorded_at: '2026-08-15T00:00:00Z',
      started_at: '2026-08-15T00:00:00Z',
      plan_sha256: 'a'.repeat(64),
      panel: 'primary',
      model_id: 'x/y',
      model_name: 'X Y',
      canonical_model_slug: 'x/y-1',
      execution_backend: 'openrouter',
      provider_route: 'x/fp8',
      endpoint_execution_sha256: 'b'.repeat(64),
      task_id: first.id,
      original_task_id: null,
      prompt_sha256: sha256(first.prompt),
      generation: {
        answer_markdown: 'FINAL_SELECTION: F,G,H',
        actual_model_id: 'x/y-1',
        actual_provider: 'X',
        generation_ids: ['g'],
        prompt_tokens: 200,
        completion_tokens: 9,
        cost_micros: 77,
        cost_reconciled: true,
        finish_reason: 'stop',
        decoding: { max_tokens: 2048, seed: 1 },
      },
      error: null,
      ...(changes as object),
    } as Parameters<typeof pySealed>[0]);

  const lineOf = (document: ReturnType<typeof released>) => `${pyCanonical(document as never)}\n`;

  it('are imported bare or inside an observation, with identity, cost and route', async () => {
    const path = join(freshFolder(), 'released.jsonl');
    writeFileSync(path, lineOf(released()));
    appendFileSync(
      path,
      `{"release_panel":"panel_1","response":${lineOf(released({ task_id: second.id, prompt_sha256: sha256(second.prompt) })).trim()}}\n`,
    );
    const { dir, result } = await importing(path);
    expect(result).toEqual({ written: 2, known: 0, parseable: 2 });
    const view = viewLedger(dir);
    const head = [...view.state.cells.values()][0]?.head;
    expect(head).toMatchObject({
      model_id: 'x/y',
      rank_eligible: true,
      cost_micros: 77,
      tokens: 209,
      parse: 'ok',
    });
    expect(verifyLedger(dir).problems).toEqual([]);
  });

  it('are imported as the reference stores them, one a file over many lines', async () => {
    const path = join(freshFolder(), 'response-a-b.json');
    writeFileSync(path, pyStored(released() as never));
    const { dir, result } = await importing(path);
    expect(result).toEqual({ written: 1, known: 0, parseable: 1 });
    const [cell] = viewLedger(dir).state.cells.values();
    expect(cell?.head).toMatchObject({ rank_eligible: true, cost_micros: 77 });
    writeFileSync(path, pyStored(released() as never).replace('F,G,H', 'A,B,C'));
    expect(() => readLog({ ...options, file: path })).toThrow(/artifact_sha256 is [0-9a-f]{64}, its content has/);
  });

  it('are refused when their digest does not bear them out', async () => {
    const path = join(freshFolder(), 'released.jsonl');
    writeFileSync(path, lineOf(released()).replace('F,G,H', 'A,B,C'));
    await expect(importing(path)).rejects.toMatchObject({ code: 'DIGEST_MISMATCH', exit: 4 });
  });
});
