import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readPiped } from '../../src/io/piped.js';
import { cliInline } from '../support/cli-inline.js';

const dir = mkdtempSync(join(tmpdir(), 'piped-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const written = (name: string, text: string) => {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
};
const TASKS = resolve('fixtures/tasks-small.json');
const ids = (JSON.parse(readFileSync(TASKS, 'utf8')).tasks as { task_id: string }[]).map((task) => task.task_id);
const answers = written(
  'answers.jsonl',
  ['a', 'b']
    .flatMap((model_id) => ids.map((task_id) => JSON.stringify({ model_id, task_id, selection: 'ABC' })))
    .join('\n'),
);
const scores = written('scores.csv', 'model,q1,q2,q3,q4\na,1,1,1,0\nb,0,0,1,0\nc,1,0,0,0\n');
const after = written('after.csv', 'model,q1,q2,q3,q4\na,1,1,1,1\nb,0,0,1,0\nc,1,0,0,0\n');
const of = (column: string, values: readonly string[]) =>
  written(`${column}.csv`, [`task,${column}`, ...values.map((value, i) => `q${i + 1},${value}`)].join('\n'));
const some = ['--draws', '20', '--flips', '20'];

let made = 0;
/** A link to a file. */
function linked(path: string): string {
  made += 1;
  const link = join(dir, `link-${made}`);
  symlinkSync(path, link);
  return link;
}

/** A pipe that a file is written into once. */
function piped(path: string): string {
  made += 1;
  const pipe = join(dir, `pipe-${made}`);
  execFileSync('mkfifo', [pipe]);
  spawn('sh', ['-c', 'cat "$1" > "$2"', 'sh', path, pipe], { stdio: 'ignore' });
  return pipe;
}

/** A call in which `@` stands for the file that is looked at. */
const CASES: readonly (readonly [what: string, file: string, call: readonly string[]])[] = [
  ['a table', scores, ['infer', '@', ...some]],
  ['--scores', scores, ['infer', '--scores', '@', ...some]],
  ['--clusters', of('cluster', ['x', 'x', 'y', 'z']), ['infer', scores, '--clusters', '@', ...some]],
  ['--families', of('family', ['x', 'x', 'y', 'y']), ['infer', scores, '--families', '@', ...some]],
  ['--chance', of('value', ['0.5', '0', '0', '0']), ['infer', scores, '--chance', '@', ...some]],
  ['--roster', written('roster.txt', 'b\na\nc\n'), ['infer', scores, '--roster', '@', ...some]],
  ['--models', written('models.txt', 'a\nb\n'), ['infer', scores, '--models', '@', ...some]],
  ['--without', written('without.txt', 'b\n'), ['infer', scores, '--without', '@', ...some]],
  ['--compare', after, ['rank-audit', scores, '--compare', '@', ...some]],
  ['--responses', answers, ['infer', '--responses', '@', '--tasks', TASKS, ...some]],
  ['--tasks', TASKS, ['infer', '--responses', answers, '--tasks', '@', ...some]],
  ['answers to rescore', answers, ['rescore', '@', '--tasks', TASKS]],
  ['tasks to rescore', TASKS, ['rescore', answers, '--tasks', '@']],
  [
    'answers to score',
    answers,
    ['score', '@', '--tasks', TASKS, '--model', 'a', '--no-inference', '--out', join(dir, 'r.json'), '--force'],
  ],
  ['tasks to look at', TASKS, ['tasks', 'stats', '@']],
];

describe('an input', () => {
  it.each(CASES)('is read through a link and from a pipe: %s', async (_, file, call) => {
    const run = (path: string) => cliInline([...call.map((word) => (word === '@' ? path : word)), '--json']);
    const plain = await run(file);
    expect(plain.code, plain.stderr).toBe(0);
    expect(await run(linked(file))).toEqual(plain);
    expect(await run(piped(file))).toEqual(plain);
  });
});

describe('a terminal', () => {
  it('that this process has not is named', () => {
    const run = spawnSync('setsid', [process.execPath, resolve('dist/cli/main.js'), '/dev/tty'], { encoding: 'utf8' });
    expect(run).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('INPUT_NOT_FOUND: /dev/tty: is a device that is not there'),
    });
  });
});

describe('a named pipe', () => {
  it('that nothing writes is refused after a while, and one that is written late is read whole', () => {
    const [silent, late] = [join(dir, 'silent'), join(dir, 'late')];
    execFileSync('mkfifo', [silent, late]);
    expect(() => readPiped(silent, 4)).toThrow(
      `${silent}: is a named pipe that nothing has written to for 0.2 seconds`,
    );
    const start = performance.now();
    expect(() => readPiped(silent)).toThrow(/for 0\.2 seconds/);
    expect(performance.now() - start).toBeLessThan(10_000);
    spawn('sh', ['-c', 'sleep 0.4; exec > "$1"; echo first; sleep 0.4; echo last', 'sh', late], { stdio: 'ignore' });
    expect(readPiped(late).toString()).toBe('first\nlast\n');
  });

  it('is told from the pipe of a process, which is read to its end however little it holds', () => {
    const main = resolve('dist/cli/main.js');
    const run = (script: string) =>
      spawnSync('bash', ['-c', script, 'bash', process.execPath, main, TASKS], { encoding: 'utf8', timeout: 100_000 });
    const whole = run(`"$1" "$2" rescore <(sleep 0.3; cat "${answers}") --tasks "$3"`);
    expect([whole.status, whole.stdout]).toEqual([0, expect.stringContaining('rows scored')]);
    const none = run('"$1" "$2" rescore <(true) --tasks "$3"');
    expect([none.signal, none.stdout + none.stderr]).toEqual([null, expect.stringContaining('0 rows scored')]);
  });
});
