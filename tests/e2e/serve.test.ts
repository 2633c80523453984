import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpApp } from '../../src/server/http/http-app.js';
import { type OpenHttpServer, openHttpServer } from '../../src/server/http/http-server.js';
import { type LongWork, openLongWork } from '../../src/server/http/long-work.js';
import { ROUTES } from '../../src/server/http/routes.js';
import { servedReleases } from '../../src/server/http/served-releases.js';
import { openService } from '../../src/server/service.js';
import { type Ask, askServer } from '../support/http-client.js';
import { buildSmall, smallWorld } from '../support/release-world.js';
import { smallTable } from '../support/service-table.js';

const TASKS = resolve('fixtures/tasks-small.json');
interface Row {
  readonly task_id: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly optimal_selection: string;
  readonly selection_scores_bps: Readonly<Record<string, number>>;
}
const tasks: readonly Row[] = JSON.parse(readFileSync(TASKS, 'utf8')).tasks;
const [first, second] = tasks as [Row, Row];
const lineOf = (key: string) => `FINAL_SELECTION: ${[...key].join(',')}`;
const TOKEN = 'a token of this test'.replaceAll(' ', '-');

const folder = mkdtempSync(join(tmpdir(), 'flavourbench-serve-'));
const service = openService({ tasks: [TASKS] });
let longWork: LongWork;
let server: OpenHttpServer;
let port: number;

beforeAll(async () => {
  const world = await smallWorld();
  await buildSmall(world, join(folder, 'small'));
  longWork = openLongWork({ files: { tasks: [TASKS] }, threads: 1, seconds: 30, waiting: 2 });
  server = await openHttpServer({
    ...{ service, longWork, releases: servedReleases(folder), page: () => '<!doctype html><title>page</title>' },
    ...{ port: 0, token: TOKEN, connections: 60, seconds: 30, bodyBytes: 80 * 2 ** 20 },
    ticks: () => performance.now(),
  });
  port = Number(new URL(server.address).port);
}, 240_000);
afterAll(async () => {
  await server?.close(1);
  await longWork?.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Asks the server with its token. */
const ask = (asked: Ask) => askServer({ to: port, token: TOKEN, ...asked });
const post = (path: string, value: unknown) => ask({ path, body: JSON.stringify(value) });

describe('what is served', () => {
  it('gives rewards and scores, and refuses what trains on nothing known', async () => {
    const completions = [lineOf(first.optimal_selection), 'nothing', lineOf('ABC')];
    const task_ids = [first, first, second].map(({ task_id }) => task_id);
    const rewards = [1, 0, second.selection_scores_bps.ABC! / 10_000];
    expect((await post('/v1/reward', { completions, task_ids })).json).toEqual({ rewards, parser: 'v4' });
    const maps = {
      selection_scores_bps: [first, first, second].map(({ selection_scores_bps }) => selection_scores_bps),
      choices: [first, first, second].map(({ choices }) => choices),
    };
    expect((await post('/v1/reward', { completions, ...maps })).json).toEqual({ rewards, parser: 'v4' });
    const scored = await post('/v1/score', { answers: [{ task_id: second.task_id, selection: 'ABC' }] });
    expect(scored.json.scores[0]).toMatchObject({ score_bps: second.selection_scores_bps.ABC, outcome: 'ok' });
  });

  it('scores a submission line by line, and sums it up by model', async () => {
    const rows = [
      { task_id: first.task_id, model_id: 'm', response: lineOf(first.optimal_selection) },
      { task_id: first.task_id, model_id: 'm', response: lineOf(first.optimal_selection) },
      { task_id: second.task_id, model_id: 'm', response: 'nothing' },
    ];
    const lines = [...rows.map((row) => JSON.stringify(row)), '', 'no json', '{"task_id":"unknown"}'].join('\n');
    const answer = await ask({
      path: '/v1/submissions',
      body: lines,
      headers: { 'content-type': 'application/jsonl' },
    });
    const said = answer.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(said.slice(0, -1).map(({ line, outcome, error }) => [line, outcome ?? error.code])).toEqual([
      [1, 'ok'],
      [2, 'CELL_DUPLICATE'],
      [3, 'no_marker'],
      [5, 'JSON_INVALID'],
      [6, 'TASK_UNKNOWN'],
    ]);
    expect(said.at(-1).summary).toMatchObject({ rows: 2, errors: 3, models: [{ model: 'm', rows: 2, optimal: 1 }] });
  });

  it('streams a submission of many lines whole', async () => {
    const line = (i: number) =>
      JSON.stringify({
        task_id: tasks[i % tasks.length]!.task_id,
        model_id: `m${Math.floor(i / tasks.length)}`,
        selection: 'ABC',
      });
    const count = 3000;
    const body = Array.from({ length: count }, (_, i) => line(i)).join('\n');
    const { text } = await ask({ path: '/v1/submissions', body, headers: { 'content-type': 'text/plain' } });
    const said = text.trim().split('\n');
    expect(said.length).toBe(count + 1);
    expect(JSON.parse(said[count - 1]!).score_bps).toBe(tasks[(count - 1) % tasks.length]!.selection_scores_bps.ABC);
    expect(JSON.parse(said[count]!).summary).toMatchObject({ rows: count, errors: 0 });
  });

  it('audits a table as JSON and as its bytes, on a thread, with the same digits', async () => {
    const { csv } = smallTable();
    const options = { draws: 200, flips: 300 };
    const asJson = await post('/v1/audit', { table: csv, options });
    const path = `/v1/audit?options=${encodeURIComponent(JSON.stringify(options))}&name=scores.csv`;
    const asBytes = await ask({ path, body: csv, headers: { 'content-type': 'text/csv' } });
    expect(asJson.json.verdict.leader).toMatch(/^m0 /);
    expect(asBytes.json).toEqual(asJson.json);
    expect((await post('/v1/infer', { table: csv, options })).json.document.schema).toBe('flavourbench-inference/2');
    const wrong = await ask({
      path: '/v1/audit?name=scores.csv',
      body: 'model,a\nx\n',
      headers: { 'content-type': 'text/csv' },
    });
    expect([wrong.status, wrong.json.error.code, wrong.json.error.what]).toEqual([
      422,
      'CSV_INVALID',
      expect.stringMatching(/^scores\.csv/),
    ]);
  });

  it('lists releases and gives their files as the manifest has them, no others', async () => {
    const { releases } = (await ask({ path: '/v1/releases' })).json;
    expect(releases).toMatchObject([{ name: 'small', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    const release = (await ask({ path: '/v1/releases/small' })).json;
    expect(release.models).toHaveLength(6);
    const listed = release.files.map(({ path }: { path: string }) => path);
    expect(listed).toContain('inference.json');
    const inside = listed.find((path: string) => path.includes('/'));
    for (const path of ['inference.json', inside])
      expect((await ask({ path: `/v1/releases/small/${path}` })).text).toBe(
        readFileSync(join(folder, 'small', path), 'utf8'),
      );
    for (const path of ['MANIFEST.json', '%2e%2e/%2e%2e/etc/passwd', 'nothing', '..%2finference.json'])
      expect((await ask({ path: `/v1/releases/small/${path}` })).status, path).toBe(404);
    const whole = readFileSync(join(folder, 'small', 'inference.json'));
    writeFileSync(join(folder, 'small', 'inference.json'), 'altered');
    const altered = await ask({ path: '/v1/releases/small/inference.json' });
    writeFileSync(join(folder, 'small', 'inference.json'), whole);
    expect([altered.status, altered.json.error.code]).toEqual([422, 'DIGEST_MISMATCH']);
  });

  it('is described by a valid OpenAPI document that has every route and no other', async () => {
    const { json: document } = await ask({ path: '/openapi.json', headers: { authorization: '' } });
    const checked = await new Validator().validate(structuredClone(document));
    expect(checked.errors ?? []).toEqual([]);
    expect(checked.valid).toBe(true);
    const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) =>
          `${method.toUpperCase()} ${path.replace('{path}', ':path{.+}').replace(/(?<![:\w]\w*)\{(\w+)\}/g, ':$1')}`,
      ),
    );
    const rules = { budget: { held: 0, most: 1 }, mostConnections: 1, ticks: () => 0 };
    const served = httpApp({} as never, rules).routes.map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual([...served].sort());
    expect(new Set(ROUTES.map(({ path }) => path)).size).toBe(ROUTES.length);
  });

  it('answers in the form that the document states', async () => {
    const given: Readonly<Record<string, unknown>> = {
      '/v1/score': { answers: [{ task_id: first.task_id, selection: 'ABC' }] },
      '/v1/reward': { completions: ['x'], task_ids: [first.task_id] },
      '/v1/audit': { table: smallTable().csv, options: { draws: 100, flips: 100 } },
      '/v1/infer': { table: smallTable().csv, options: { draws: 100, flips: 100 } },
    };
    for (const { path, gives } of ROUTES) {
      const schema = gives['application/json'];
      if (schema === undefined || schema === null) continue;
      const at = path.replace('{name}', 'small');
      const answer = path in given ? await post(at, given[path]) : await ask({ path: at });
      expect(answer.status, path).toBe(200);
      expect(schema.safeParse(answer.json).error, path).toBeUndefined();
    }
  });

  it('has the page, its health without a token, and counts for Prometheus', async () => {
    expect((await ask({ path: '/', headers: { authorization: '' } })).text).toContain('<title>page</title>');
    const health = await ask({ path: '/healthz', headers: { authorization: '' } });
    expect([health.status, health.json.status, health.headers['cache-control']]).toEqual([200, 'ok', 'no-store']);
    const { text } = await ask({ path: '/metrics' });
    expect(text).toMatch(/^flavourbench_requests_total\{route="\/v1\/reward",status="200"\} \d+$/m);
    const count = Number(/^flavourbench_request_seconds_count\{route="\/v1\/reward"\} (\d+)$/m.exec(text)![1]);
    expect(text).toContain(`flavourbench_request_seconds_bucket{route="/v1/reward",le="+Inf"} ${count}`);
    expect(
      text.split('\n').filter((line) => !/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\S+\})? [\d.e+-]+|)$/.test(line)),
    ).toEqual([]);
  });
});
