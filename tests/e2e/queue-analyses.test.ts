import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { startWorker, type TestWorker } from '../support/queue-process.js';
import { openQueuedBatch, type QueuedBatch } from '../support/queued-batch.js';
import { hasRedis } from '../support/redis-server.js';
import { resultOf } from '../support/shard-calls.js';

let batch: QueuedBatch;
beforeAll(async () => {
  if (hasRedis) batch = await openQueuedBatch();
});
afterAll(async () => {
  if (hasRedis) await batch.close();
});

const TASKS = 'fixtures/tasks-small.json';
const answers = ['--responses', 'fixtures/responses-small.jsonl', '--tasks', TASKS];

describe.skipIf(!hasRedis)('a call of an analysis', () => {
  let second: TestWorker;
  beforeAll(async () => {
    if (!hasRedis) return;
    const rows = Array.from({ length: 40 }, (_, k) => `t${k},${(k * 7) % 11},${(k * 5) % 13},${(k * 3) % 7}`);
    writeFileSync(batch.at('scores.csv'), `task,a,b,c\n${rows.join('\n')}\n`);
  });
  afterAll(() => second?.stop());

  /** What a call writes alone, and what it writes when workers do its parts. */
  async function aloneAndQueued(call: readonly string[], name: string) {
    const run = (out: string, ...more: string[]) => cliInline([...call, '--out', batch.at(out), '--quiet', ...more]);
    expect(await run(`alone-${name}`)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(`queued-${name}`, '--redis', batch.url)).toMatchObject({ code: 0, stderr: '' });
    return [resultOf(batch.at(`alone-${name}`)), resultOf(batch.at(`queued-${name}`))];
  }

  it('is over one worker what one process writes, and says what is wrong with its own paths', async () => {
    const [alone, queued] = await aloneAndQueued(
      ['rank-audit', batch.at('scores.csv'), '--draws', '2000', '--flips', '2000'],
      'one.json',
    );
    expect(queued).toEqual(alone);
    const broken = await cliInline(['infer', batch.at('tasks.jsonl'), '--redis', batch.url]);
    expect(broken).toMatchObject({ code: 2, stderr: expect.stringContaining(batch.at('tasks.jsonl')) });
    const none = await cliInline(['sensitivity', 'weights', ...answers, '--redis', batch.url]);
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/nothing in this call is shared out.*--redis/s),
    });
    expect(await batch.callKeys()).toEqual([]);
  });

  it.each([
    ['infer', ['--draws', '3000', '--flips', '3000'], '.json'],
    ['rank-audit', ['--draws', '3000', '--flips', '3000'], '.json'],
    ['coverage', ['--datasets', '9', '--draws', '100', '--flips', '400'], '.json'],
    ['power', ['--datasets', '11', '--flips', '1000'], '.json'],
    ['sensitivity precision', [...answers, '--draws', '101', '--sizes', '6', '12'], '.json'],
    ['maps', [TASKS, '--env', 'pantry'], '.jsonl'],
  ])('is over two workers what one process writes: %s', async (name, more, ending) => {
    second ??= await startWorker(['--redis', batch.url]);
    const inputs = more.some((word) => word.startsWith('fixtures/')) ? [] : [batch.at('scores.csv')];
    const begun = [batch.steady.events.length, second.events.length];
    const [alone, queued] = await aloneAndQueued(
      [...name.split(' '), ...inputs, ...more],
      `${name.replace(' ', '-')}${ending}`,
    );
    expect(queued).toEqual(alone);
    const does = [batch.steady, second].map(({ events }, k) =>
      events.slice(begun[k]).filter(({ event }) => event === 'done'),
    );
    expect(does.flat().length).toBeGreaterThanOrEqual(8);
    expect(await batch.callKeys()).toEqual([]);
  });
});
