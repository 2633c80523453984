import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pastBlankLines } from '../../src/io/blank-lines.js';
import { lineFeeds } from '../../src/io/lines.js';
import { rescoreFile } from '../../src/responses/answer-file.js';
import { NO_COUNTS } from '../../src/responses/batch/batch-totals.js';
import { partSink } from '../../src/responses/batch/part-sink.js';
import { csvRecords } from '../../src/responses/csv-answers.js';
import { rescorer } from '../../src/responses/rescore.js';
import { taskFromRow } from '../../src/tasks/task-row.js';
import { failure } from '../../src/util/error.js';
import { boundedCli } from '../support/bounded.js';
import { taskRow } from '../tasks/support.js';

const MIB = 2 ** 20;
const TASKS = resolve('fixtures/tasks-small.json');
const tasks = [taskFromRow(taskRow('pairing-1', { family: 'pairing' }), { file: 'test' })];

let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'blank-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All that `trim` takes, what looks like it, and what shares bytes with it. */
const UNITS = [
  ...'\n\n\n\r\t\v\f \u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
  ...'\u0085\u200b\u180e\u202a\u2060xé{',
];
const anyText = fc.array(fc.constantFrom(...UNITS), { maxLength: 40 }).map((units) => units.join(''));

describe('blank lines', () => {
  it('are passed over as trim sees them, and counted', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = new TextEncoder().encode(text);
        const lines = text.split('\n');
        const first = lines.findIndex((line) => line.trim() !== '');
        const passed = first < 0 ? lines.length - 1 : first;
        const before =
          first < 0
            ? text
            : lines
                .slice(0, first)
                .map((line) => `${line}\n`)
                .join('');
        expect(pastBlankLines(bytes, 0, bytes.length)).toEqual({ at: Buffer.byteLength(before), lines: passed });
      }),
      { numRuns: 3000 },
    );
  });

  it('between rows leave every row its line', async () => {
    const blanks = ['\n', '  \r\n', '\u00a0\n', '\n\n\n', '\u3000 \t\n'];
    const row = JSON.stringify({ task_id: 'pairing-1', model: 'm', response: 'FINAL_SELECTION: A,B,C' });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...blanks, `${row}\n`), { maxLength: 30 }), async (parts) => {
        const data = parts.join('');
        writeFileSync(at('rows.jsonl'), `${data}${row}\n\n \n{"task_id":"none"}`);
        const scorer = rescorer({ tasks });
        const line = data.split('\n').length + 3;
        await expect(rescoreFile(at('rows.jsonl'), scorer)).rejects.toThrow(`rows.jsonl, line ${line}: task "none"`);
        expect(scorer.results().rows).toBe(parts.filter((part) => part.startsWith('{')).length + 1);
      }),
      { numRuns: 60 },
    );
  });

  it('of a table are those of nothing but line ends, and its records keep their places', () => {
    const text = 'a,b\n\n\r\n\r\r\n"x\n\n",y\n , \n\n';
    const bytes = Buffer.from(text);
    const records = [...csvRecords(bytes, 44)].map(({ from, to, passed }) => [text.slice(from, to), passed]);
    expect(records).toEqual([
      ['a,b', 0],
      ['"x\n\n",y', 3],
      [' , ', 0],
    ]);
  });

  it.each([
    ['JSON Lines', ''],
    ['a table', 'model,task,response\n'],
  ])('by the hundred million in a small packed file take no longer than the file: %s', (_, head) => {
    const member = gzipSync(Buffer.alloc(64 * MIB, 10), { level: 9 });
    writeFileSync(at('blank.gz'), Buffer.concat([gzipSync(head), member, member]));
    const run = boundedCli(['rescore', at('blank.gz'), '--tasks', TASKS], { seconds: 45 });
    expect(run.hung).toBe(false);
    expect(run.output).toContain('0 rows scored');
  });
});

it('line feeds are counted however short or long the lines are', () => {
  const line = fc.nat({ max: 80 }).map((length) => 'x'.repeat(length));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.nat({ max: 40 }), fc.nat({ max: 40 }), (lines, cut, drop) => {
      const bytes = Buffer.from(lines.join('\n'));
      const [start, end] = [Math.min(cut, bytes.length), Math.max(Math.min(cut, bytes.length), bytes.length - drop)];
      expect(lineFeeds(bytes, start, end)).toBe(bytes.subarray(start, end).filter((byte) => byte === 10).length);
    }),
  );
});

it('a part with more bad rows than lines of answers is refused, with what is wrong with the next one', () => {
  const plan = { parser: 'v4', ignoreUnknown: false, strict: false, compare: [], near: false } as const;
  const sink = partSink({ tasks, known: new Set(), plan, keepRows: true });
  const error = failure('JSON_INVALID', { file: 'x', line: 1 }, 'a JSON value expected');
  for (let n = 0; n < 2 ** 18; n += 1) sink.bad!(error, { file: 'x', line: 1 });
  expect(() => sink.bad!(error, { file: 'x', line: 262_145 })).toThrow(
    'x, line 262145: more than 262144 rows near this one are no answers; this one: a JSON value expected',
  );
  expect(sink.take().counts.bad).toEqual({ JSON_INVALID: 2 ** 18 });
  sink.bad!(error, { file: 'x', line: 1 });
  expect(sink.take().counts).toMatchObject({ rows: NO_COUNTS.rows, bad: { JSON_INVALID: 1 } });
});
