import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sealed } from '../../src/io/canonical.js';
import { sha256 } from '../../src/io/digest.js';
import { readTaskSet } from '../../src/tasks/task-files.js';
import { sealedTasks, sealPrimary } from '../../src/transfer/primary-seal.js';
import { tasksContent } from '../../src/transfer/seal-schema.js';
import { cliInline } from '../support/cli-inline.js';
import type { Fault } from '../support/fault-reply.js';
import { type FaultServer, startFaultServer } from '../support/fault-server.js';

const TASKS = 'fixtures/tasks-small.json';
const ids = readTaskSet(TASKS).tasks.map(({ id }) => id);
const CONDITIONS = ['pretrained_base', 'sft_format_control:1', 'sft_epicure_optimum:1'];
const MODELS = ['base@r0', 'control-1@r1', 'optimum-1@r1'];

let folder: string;
let server: FaultServer;
let fault: (model: string) => Fault;
const at = (name: string) => join(folder, name);
const json = (name: string) => JSON.parse(readFileSync(at(name), 'utf8'));
const rows = (name: string) =>
  readFileSync(at(name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const evaluate = (...args: string[]) =>
  cliInline(['transfer', 'evaluate', '--tasks', TASKS, '--out', at('out'), ...args]);
const served = (...args: string[]) =>
  evaluate(
    ...['--server', `${server.url}/oa/v1`, '--ledger', at('ledger'), '--model'],
    ...CONDITIONS.map((condition, i) => `${condition}=${MODELS[i]}`),
    ...args,
  );

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'flavourbench-evaluate-'));
  fault = () => 'correct';
  server = await startFaultServer({
    seed: 't',
    prices: { prompt: 0, completion: 0 },
    choose: ({ model }) => fault(model),
  });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('transfer evaluate from a server', () => {
  it('asks the bare prompt greedily, once, and writes runs x tasks in order', async () => {
    const run = await served('--json');
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(JSON.parse(run.stdout)).toMatchObject({ asked: 108, runs: [{ tasks: 36 }, {}, {}] });
    expect(server.requests.at(-1)?.body).toMatchObject({
      temperature: 0,
      max_tokens: 64,
      chat_template_kwargs: { enable_thinking: false },
      messages: [{ role: 'user' }],
    });
    const found = rows('out/completions.jsonl');
    expect(found.slice(0, 36).map((row) => row.task_id)).toEqual(ids);
    expect(found.map((row) => `${row.condition}:${row.training_seed}`)).toEqual(
      ['pretrained_base:null', ...CONDITIONS.slice(1)].flatMap((name) => ids.map(() => name)),
    );
    expect(json('out/evaluation.json')).toMatchObject({
      stage: 'primary',
      decoding: { temperature: 0, max_new_tokens: 64, thinking: false },
    });
    const before = readFileSync(at('out/completions.jsonl'), 'utf8');
    const again = await served();
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('0 requests')]);
    expect(server.calls).toBe(108);
    expect(readFileSync(at('out/completions.jsonl'), 'utf8')).toBe(before);
  });

  it('keeps what was cut off or empty: the model’s own doing, parsed or zero', async () => {
    fault = (model) => (model === 'base' ? 'length' : model === 'control-1' ? 'empty' : 'correct');
    const run = await served('--json');
    expect([run.code, run.stderr]).toEqual([0, '']);
    const [base, control] = JSON.parse(run.stdout).runs;
    expect([base.parse_rate, control.parse_rate]).toEqual([1, 0]);
    expect(rows('out/completions.jsonl')[0].completion).toMatch(/^FINAL_SELECTION/);
    expect(rows('out/completions.jsonl')[36].completion).toBe('');
  });

  it('withholds the result while requests fail, and asks only those again', async () => {
    fault = (model) => (model === 'control-1' ? 'malformed' : 'correct');
    const run = await served();
    expect([run.code, run.stderr]).toEqual([
      3,
      expect.stringMatching(
        /INCOMPLETE: 36 generations are missing, first sft_format_control, seed 1.*malformed_reply \d, .*:1 rested: 5 cells in a row/,
      ),
    ]);
    expect(existsSync(at('out'))).toBe(false);
    const failed = server.calls - 72;
    expect(failed).toBeLessThan(10);
    fault = () => 'correct';
    expect((await served()).code).toBe(3);
    expect(server.calls).toBe(108);
    expect((await served('--retry-failed')).code).toBe(0);
    expect(server.calls).toBe(108 + failed);
    expect(rows('out/completions.jsonl')).toHaveLength(108);
  });

  it('says what is wrong with its options before it asks the server anything', async () => {
    const bad = async (...args: string[]) => (await evaluate(...args)).stderr;
    const url = `${server.url}/oa/v1`;
    expect(await bad()).toContain('either --server with --model, or --generations');
    expect(await bad('--server', url)).toContain('needs at least one --model');
    expect(await bad('--server', url, '--model', 'base')).toContain('CONDITION[:SEED]=MODEL@REV');
    expect(await bad('--server', url, '--model', 'a=m@1', 'a=m@2')).toContain('evaluated twice');
    expect(await bad('--server', 'nowhere', '--model', 'a=m@1')).toContain('base_url');
    expect(await bad('--stage', 'secondary', '--server', url, '--model', 'a=m@1')).toContain('SEAL_MISSING');
    expect(server.calls).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a study on the pantry, from split to secondary evaluation', () => {
  const transfer = async (...args: string[]) => {
    const run = await cliInline(['transfer', ...args]);
    return { ...run, both: `${run.code} ${run.stderr}` };
  };
  const REVISION = 'a'.repeat(40);
  const models = (revision: string) => [
    ...['--server', `${server.url}/oa/v1`, '--ledger', at('ledger'), '--model'],
    `pretrained_base=base@${revision}`,
    ...['sft_format_control:1=control-1@r1', 'sft_epicure_optimum:1=optimum-1@r1'],
  ];

  it('holds every step to the frozen plan and to the order of the stages', async () => {
    const data = at('data');
    const small = ['--evaluation', '2', '--validation', '2', '--out', data];
    expect((await transfer('split', '--tasks', TASKS, ...small)).both).toBe('0 ');
    const exam = join(data, 'evaluation_tasks.jsonl');
    const second = join(data, 'validation_tasks.jsonl');
    const frozen = await transfer(
      ...['plan', '--base', `some/base@${REVISION}`, '--data', data, '--seeds', '1', '--json'],
      ...['--draws', '100', '--flips', '100', '--secondary-tasks', second, '--out', at('study')],
    );
    const added = join(data, 'more.jsonl');
    writeFileSync(added, '{}\n');
    const base = ['--base', `some/base@${REVISION}`, '--data', data, '--out', at('none')];
    const refused = await transfer('plan', ...base);
    const script = await transfer('recipe', ...base, '--arm', 'sft', '--seed', '1');
    expect(refused.both).toMatch(/^4 .*DIGEST_MISMATCH: .*more.jsonl: .*manifest.json does not list this file/);
    expect(script.both).toBe(refused.both);
    rmSync(added);
    const { path, fresh } = JSON.parse(frozen.stdout);
    expect(fresh).toBe(true);
    const ask = (tasks: string, out: string, ...more: string[]) =>
      transfer('evaluate', '--tasks', tasks, '--plan', path, '--out', at(out), ...more);
    expect((await ask(second, 'no', ...models(REVISION))).both).toMatch(/^4 .*DIGEST_MISMATCH/);
    expect((await ask(exam, 'no', ...models('b'.repeat(40)))).both).toMatch(
      /^4 .*fixed base revision a+; pretrained_base is of b+/,
    );
    const later = ['--stage', 'secondary', ...models(REVISION)];
    expect((await ask(second, 'no', ...later)).both).toMatch(/^2 .*SEAL_MISSING/);
    expect(server.calls).toBe(0);
    expect((await ask(exam, 'primary', ...models(REVISION))).both).toBe('0 ');
    const stray = (from: string, to: string) => {
      const text = readFileSync(at('primary/completions.jsonl'), 'utf8');
      writeFileSync(at('stray.jsonl'), text.replaceAll(from, to));
      return ask(exam, 'no', '--generations', at('stray.jsonl'));
    };
    expect((await stray('"training_seed":1', '"training_seed":2')).both).toMatch(
      /^4 .*fixed training seeds 1; found 2/,
    );
    expect((await stray('pretrained_base', 'another_base')).both).toMatch(/^4 .*no condition "another_base"/);
    const contrast = (stage: string, tasks: string, ...more: string[]) =>
      transfer(
        ...['contrast', '--completions', at(`${stage}/completions.jsonl`), '--tasks', tasks],
        ...['--stage', stage, '--plan', path, '--out', at(stage), ...more],
      );
    expect((await contrast('primary', exam)).both).toBe('0 ');
    const seal = ['--seal', at('primary/seal.json')];
    expect((await ask(second, 'secondary', ...later, ...seal)).both).toBe('0 ');
    writeFileSync(at('null.json'), 'null');
    const nothing = await contrast('secondary', second, ...seal, '--primary', at('null.json'));
    expect(nothing.both).toMatch(/^2 .*a JSON object expected, found null/);
    const beside = [...seal, '--primary', at('primary/analysis.json')];
    const forged = at('forged.json');
    const zeros = readFileSync(second, 'utf8').replaceAll(/("[A-H]{3}":)(?!10000)\d+/g, '$10');
    writeFileSync(forged, zeros);
    expect(zeros).not.toBe(readFileSync(second, 'utf8'));
    expect((await contrast('secondary', second, ...beside)).both).toBe('0 ');
    const honest = json('secondary/analysis.json').results_sha256;
    expect((await contrast('secondary', forged, '--split', second, ...beside)).both).toBe('0 ');
    expect(json('secondary/analysis.json').results_sha256).toBe(honest);
    expect(json('secondary/analysis.json').standing).toMatchObject({
      kind: 'planned',
      seal: { sha256: json('primary/seal.json').artifact_sha256 },
    });
    expect(server.calls).toBe(72);
    const stamp = json('primary/seal.json').artifact_sha256;
    expect(json('secondary/evaluation.json').primary_seal_sha256).toBe(stamp);
    expect(json('secondary/analysis.json').plan.primary_seal_sha256).toBe(stamp);
  });
});

describe('a study that asks about its primary tasks again', () => {
  const transfer = async (...args: string[]) => {
    const run = await cliInline(['transfer', ...args]);
    return `${run.code} ${run.stderr}`;
  };

  it('is refused when it is planned, and under a plan that somebody sealed by hand, before anything is asked', async () => {
    const data = at('data');
    await transfer('split', '--tasks', TASKS, '--evaluation', '2', '--validation', '2', '--out', data);
    const exam = join(data, 'evaluation_tasks.jsonl');
    const other = at('other.jsonl');
    writeFileSync(
      other,
      readFileSync(exam, 'utf8')
        .replaceAll(/"task_id":"/g, '"task_id":"new-')
        .replaceAll(/"prompt":"/g, '"prompt":"Please. '),
    );
    const plan = (name: string, tasks: string) =>
      transfer(
        ...['plan', '--base', `some/base@${'a'.repeat(40)}`, '--data', data, '--seeds', '1', '--draws', '100'],
        ...['--flips', '100', '--secondary-tasks', tasks, '--out', at(name)],
      );
    expect(await plan('study', exam)).toMatch(/^4 .*TASKS_REUSED: secondary task .* has the same id/);
    expect(await plan('study', other)).toMatch(/^4 .*TASKS_REUSED: secondary task "new-.*same eight candidates/);
    expect(await plan('study', join(data, 'validation_tasks.jsonl'))).toBe('0 ');
    const [name] = readdirSync(at('study'));
    const honest = json(`study/${name}`);
    const bent = sealed({
      ...honest,
      evaluation: { ...honest.evaluation, secondary_tasks: sha256(readFileSync(other)) },
    });
    writeFileSync(at('bent.json'), JSON.stringify(bent));
    const primary = {
      ...{ protocolSha256: bent.artifact_sha256, analysisSha256: 'b'.repeat(64), resultsSha256: 'c'.repeat(64) },
      manifests: [],
    };
    const seal = sealPrimary({ ...primary, tasks: readTaskSet(exam).tasks, at: new Date().toISOString() });
    writeFileSync(at('seal.json'), JSON.stringify(seal));
    const second = ['--stage', 'secondary', '--plan', at('bent.json'), '--seal', at('seal.json'), '--tasks', other];
    const asked = ['--server', `${server.url}/oa/v1`, '--model', `pretrained_base=base@${'a'.repeat(40)}`];
    expect(await transfer('evaluate', ...second, ...asked, '--out', at('out'))).toMatch(/^4 .*TASKS_REUSED/);
    // A plan over other tasks of the primary stage, so that only the time of the seal is wrong.
    const first = readTaskSet(join(data, 'validation_tasks.jsonl')).tasks;
    const evaluation = { ...bent.evaluation, primary_content_sha256: tasksContent(sealedTasks(first)) };
    const later = sealed({ ...bent, evaluation });
    const protocolSha256 = later.artifact_sha256;
    const early = sealPrimary({ ...primary, protocolSha256, tasks: first, at: '2020-01-01T00:00:00.000Z' });
    writeFileSync(at('bent.json'), JSON.stringify(later));
    writeFileSync(at('seal.json'), JSON.stringify(early));
    const rowsOf = readTaskSet(other).tasks.flatMap(({ id }) =>
      CONDITIONS.slice(1).map((one) => ({
        condition: one.split(':')[0],
        training_seed: 1,
        task_id: id,
        completion: 'x',
      })),
    );
    writeFileSync(at('answers.jsonl'), rowsOf.map((row) => JSON.stringify(row)).join('\n'));
    expect(await transfer('contrast', ...second, '--completions', at('answers.jsonl'), '--out', at('out'))).toMatch(
      /^4 .*PLAN_LATE: the plan is known since .* sealed before that, by 2020/,
    );
    expect(server.calls).toBe(0);
    expect(existsSync(at('out'))).toBe(false);
  });
});

describe('transfer evaluate from generations', () => {
  it('gives parse rates and the rows it would have written itself', async () => {
    await served();
    const text = readFileSync(at('out/completions.jsonl'), 'utf8');
    writeFileSync(at('mine.jsonl'), text);
    rmSync(at('out'), { recursive: true });
    const run = await evaluate('--generations', at('mine.jsonl'));
    expect([run.code, run.stdout]).toEqual([0, expect.stringMatching(/sft_epicure_optimum +1 +36/)]);
    expect(readFileSync(at('out/completions.jsonl'), 'utf8')).toBe(text);
    writeFileSync(at('less.jsonl'), text.split('\n').slice(1).join('\n'));
    const less = await evaluate('--generations', at('less.jsonl'));
    expect([less.code, less.stderr]).toEqual([2, expect.stringContaining('CELL_MISSING')]);
  });
});
