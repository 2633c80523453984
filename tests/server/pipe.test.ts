import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerPipe } from '../../src/server/pipe.js';
import { requestLines } from '../../src/server/request-lines.js';
import { openService } from '../../src/server/service.js';
import { cliInline } from '../support/cli-inline.js';
import { smallTable } from '../support/service-table.js';

const TASKS = resolve('fixtures/tasks-small.json');
interface Row {
  readonly task_id: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly optimal_selection: string;
  readonly selection_scores_bps: Readonly<Record<string, number>>;
}
const rows: readonly Row[] = JSON.parse(readFileSync(TASKS, 'utf8')).tasks;
const [first, second] = rows as [Row, Row];
const service = openService({ tasks: [TASKS] });
const lineOf = (key: string) => `FINAL_SELECTION: ${[...key].join(',')}`;

/** Answers of a session whose input comes in the pieces given. */
async function session(pieces: readonly (string | Uint8Array)[], mostBytes?: number) {
  const lines: string[] = [];
  async function* input() {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  await answerPipe({ input: input(), write: (text) => void lines.push(text), service, mostBytes });
  expect(lines.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
  return lines.map((line) => JSON.parse(line));
}

const asked = async (request: object) => (await session([`${JSON.stringify(request)}\n`]))[0];

describe('a session over a pipe', () => {
  it('changes no id: a number past 2^53 is refused, as text it comes back whole', async () => {
    const said = await session([
      '{"id":12345678901234567890,"op":"score","answers":[]}\n',
      '{"id":"12345678901234567890","op":"zz"}\n{"id":-7.5,"op":"zz"}\n',
    ]);
    expect(said.map(({ id }) => id)).toEqual([null, '12345678901234567890', -7.5]);
    expect(said[0].error).toMatchObject({ code: 'SCHEMA_INVALID', what: expect.stringContaining('past 2^53') });
  });

  it('refuses an alpha that no quantile has digits for', async () => {
    const table = 'model,a,b\nx,1,0\ny,0,1\n';
    for (const alpha of [5e-324, 1e-300, 1e-20, 1e-16, 1 - 1e-12]) {
      const { error } = await asked({ id: 1, op: 'audit', table, options: { alpha } });
      expect(error).toMatchObject({ code: 'USAGE', hint: expect.stringContaining('1e-9') });
    }
  });

  it('scores answers by looking them up, and says why one cannot be read', async () => {
    const answers = [
      { task_id: first.task_id, model_id: 'm', response: lineOf(first.optimal_selection) },
      { task_id: second.task_id, selection: 'A,B,C' },
      { task_id: second.task_id, response: 'no idea' },
    ];
    const abc = second.selection_scores_bps.ABC!;
    expect(await asked({ id: 7, op: 'score', answers })).toEqual({
      id: 7,
      answer: {
        parser: 'v4',
        scores: [
          {
            ...{ task_id: first.task_id, model_id: 'm', outcome: 'ok', selection: first.optimal_selection },
            ...{ score: 100, score_bps: 10_000, inline_reasoning: false },
          },
          {
            ...{ task_id: second.task_id, outcome: 'ok', selection: 'ABC' },
            ...{ score: abc / 100, score_bps: abc, inline_reasoning: false },
          },
          {
            ...{ task_id: second.task_id, outcome: 'no_marker', selection: null },
            ...{ score: null, score_bps: null, inline_reasoning: false },
          },
        ],
      },
    });
  });

  it('rewards by task id and by map alike, chat messages too, and 0 for what is no text', async () => {
    const completions = [
      lineOf(first.optimal_selection),
      [{ role: 'assistant', content: lineOf('ABC') }],
      null,
      { not: 'a text' },
    ];
    const tasks = [first, second, second, first];
    const wanted = {
      id: null,
      answer: { rewards: [1, second.selection_scores_bps.ABC! / 10_000, 0, 0], parser: 'v4' },
    };
    const byId = { op: 'reward', completions, task_ids: tasks.map(({ task_id }) => task_id) };
    expect(await asked(byId)).toEqual(wanted);
    const maps = tasks.map(({ selection_scores_bps }) => selection_scores_bps);
    const byMap = {
      op: 'reward',
      completions,
      selection_scores_bps: maps,
      choices: tasks.map(({ choices }) => choices),
    };
    expect(await asked(byMap)).toEqual(wanted);
  });

  it('audits and infers as the commands do: the same digest of the results', async () => {
    const { csv, file } = smallTable();
    const options = { draws: 300, flips: 500, seed: '12345678901234567890' };
    const flags = ['--draws', '300', '--flips', '500', '--seed', options.seed, '--json'];
    for (const [op, command] of [
      ['audit', 'rank-audit'],
      ['infer', 'infer'],
    ] as const) {
      const { answer } = await asked({ id: op, op, table: csv, options });
      const run = await cliInline([command, file, ...flags, '--backend', 'wasm']);
      const { results_sha256, results, plan } = JSON.parse(run.stdout);
      expect(answer.document).toMatchObject({ results_sha256, plan });
      expect(answer.document.results).toEqual(results);
    }
    const packed = { base64: Buffer.from(csv).toString('base64'), options };
    const { answer } = await asked({ op: 'audit', ...packed });
    expect(answer.verdict.leader).toMatch(/^m0 /);
  });

  it('infers over answers to its own tasks, and lists the cells that are missing', async () => {
    const lines = readFileSync('fixtures/responses-small.jsonl', 'utf8').trim().split('\n');
    const answers = lines.map((line) => JSON.parse(line));
    const options = { draws: 100, flips: 100 };
    const run = await cliInline([
      ...['infer', '--responses', 'fixtures/responses-small.jsonl', '--tasks', TASKS],
      ...['--draws', '100', '--flips', '100', '--json'],
    ]);
    const { answer } = await asked({ op: 'infer', answers, options });
    expect(answer.document.results_sha256).toBe(JSON.parse(run.stdout).results_sha256);
    expect((await asked({ op: 'infer', answers: answers.slice(1), options })).error.code).toBe('INCOMPLETE');
  });

  it('answers every broken request with an error in its place, and goes on', async () => {
    const good = JSON.stringify({ id: 'good', op: 'reward', completions: ['x'], task_ids: [first.task_id] });
    const broken: readonly (readonly [string | Uint8Array, string])[] = [
      ['{"id": 1, "op": ', 'JSON_INVALID'],
      ['{"id": 1, "id": 2, "op": "score"}', 'JSON_DUPLICATE_KEY'],
      [Buffer.from([0x7b, 0xff, 0x7d]), 'TEXT_INVALID_UTF8'],
      ['[1]', 'SCHEMA_INVALID'],
      ['{"op": "nothing"}', 'SCHEMA_INVALID'],
      ['{"op": "__proto__"}', 'SCHEMA_INVALID'],
      ['{"op": "score", "answers": []}', 'SCHEMA_INVALID'],
      ['{"op": "score", "answers": [{"task_id": "unknown"}]}', 'TASK_UNKNOWN'],
      ['{"op": "reward", "completions": ["x"]}', 'USAGE'],
      ['{"op": "reward", "completions": ["x"], "task_ids": []}', 'USAGE'],
      ['{"op": "reward", "completions": ["x"], "task_ids": ["x"], "mistyped": 1}', 'SCHEMA_INVALID'],
      ['{"op": "audit"}', 'USAGE'],
      ['{"op": "audit", "table": "model,a\\nx"}', 'CSV_INVALID'],
      ['{"op": "audit", "table": "model,a\\nx,1\\n", "options": {"draws": 1e9}}', 'SCHEMA_INVALID'],
      [`${'['.repeat(100_000)}`, 'JSON_INVALID'],
    ];
    const pieces = broken.flatMap(([line]) => [line, `\r\n${good}\n`]);
    const answers = await session(pieces);
    expect(answers.filter((_, i) => i % 2 === 0).map(({ error }) => error?.code)).toEqual(
      broken.map(([, code]) => code),
    );
    for (const answer of answers.filter((_, i) => i % 2 === 1))
      expect(answer).toEqual({ id: 'good', answer: { rewards: [0], parser: 'v4' } });
    const hints = answers.filter((_, i) => i % 2 === 0).map(({ error }) => error);
    expect(hints.filter(({ what, hint }) => what === '' || hint === null || hint === '')).toEqual([]);
  });

  it('holds no more of a line than its bound, and reads the next one', async () => {
    const good = JSON.stringify({ id: 1, op: 'reward', completions: ['x'], task_ids: [first.task_id] });
    const pieces = [...Array.from({ length: 40 }, () => 'x'.repeat(100)), `\n\n  \n${good}`];
    const answers = await session(pieces, 1000);
    expect(answers.map(({ error, answer }) => error?.code ?? answer)).toEqual([
      'LINE_TOO_LONG',
      { rewards: [0], parser: 'v4' },
    ]);
  });

  it('refuses to train on a core of one’s own, by id and by content', async () => {
    const core = { ids: new Set([first.task_id]), content: undefined };
    const { taskRewards } = await import('../../src/responses/task-rewards.js');
    const rewards = taskRewards({ tasks: service.tasks, core });
    expect(rewards(['x'], [second.task_id])).toEqual([0]);
    expect(() => rewards(['x', 'x'], [second.task_id, first.task_id])).toThrow(
      expect.objectContaining({ code: 'LEADERBOARD_MAP' }),
    );
  });
});

it('lines are the same however the bytes are cut into pieces', async () => {
  const text = 'one\n\nthree is longer\nfour';
  for (let size = 1; size <= text.length; size += 1) {
    async function* input() {
      for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
    }
    const lines: (string | null)[] = [];
    for await (const list of requestLines(input(), 10))
      lines.push(...list.map((line) => line && Buffer.from(line).toString()));
    expect(lines).toEqual(['one', '', null, 'four']);
  }
});
