import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parsePlan, planJsonSchema, readPlan } from '../../src/collect/collection-plan.js';
import { type Collection, compilePlan } from '../../src/collect/compile-plan.js';
import { forecastCost } from '../../src/collect/forecast.js';
import { usdToMicros } from '../../src/collect/money.js';
import { buildSchedule } from '../../src/collect/schedule.js';
import { FlavourError } from '../../src/util/error.js';
import { faultModel, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function failure(action: () => unknown): FlavourError {
  try {
    action();
  } catch (error) {
    if (error instanceof FlavourError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const HEAD = `schema: flavourbench-plan/1
name: n
task_sets: [{path: t.jsonl}]
budget: {usd: "1"}
`;
const ROUTE = `  - id: a/b
    transport: openrouter
    expected_model: a/b-1
    provider_tag: p
    expected_provider: P
    decoding: {max_tokens: 10}
    price: {prompt: 1, completion: "2.5"}
`;

function compile(plan: Record<string, unknown>, allowUnpinned = false): Collection {
  const file = writePlan(folder, {
    task_sets: [{ path: writeTasks(folder, 4) }],
    budget: { usd: '1' },
    ...plan,
  });
  return compilePlan({ plan: readPlan(file), folder, file, allowUnpinned });
}

describe('reading a collection plan', () => {
  it('reads YAML and the same plan in JSON to the same value', () => {
    const yaml = parsePlan(`${HEAD}models:\n${ROUTE}`, 'p.yaml');
    expect(parsePlan(JSON.stringify(yaml), 'p.json')).toEqual(yaml);
    expect(yaml.models[0]).toMatchObject({
      price: { prompt: '1', completion: '2.5', request: '0' },
    });
  });

  it.each([
    ['an unknown field', `${HEAD}modells: []\nmodels:\n${ROUTE}`, 5, 'modells'],
    ['a bad value', `${HEAD}models:\n${ROUTE.replace('2.5', '-2')}`, 12, 'models[0].price.completion'],
    [
      'a missing ceiling',
      `${HEAD}models:\n${ROUTE.replace('max_tokens: 10', 'temperature: 0')}`,
      11,
      'models[0].decoding',
    ],
    ['an unknown transport', `${HEAD}models:\n${ROUTE.replace('openrouter', 'pigeon')}`, 7, 'models[0].transport'],
    [
      'a key where a name belongs',
      `${HEAD}models:\n${ROUTE}    api_key_env: sk-live-123\n`,
      13,
      'models[0].api_key_env',
    ],
    [
      'a credential in a header',
      `${HEAD}models:\n${ROUTE}    headers: {Authorization: x}\n`,
      13,
      'models[0].headers.Authorization',
    ],
    [
      'an unpinning body',
      `${HEAD}models:\n${ROUTE}    extra_body: {provider: {}}\n`,
      13,
      'models[0].extra_body.provider',
    ],
    ['the same model twice', `${HEAD}models:\n${ROUTE}${ROUTE}`, 13, 'models[1].id'],
    ['a password in an address', `${HEAD}models:\n${ROUTE}    base_url: https://u:p@h/v1\n`, 13, 'models[0].base_url'],
  ])('names file, line and path of %s', (_, text, line, path) => {
    const error = failure(() => parsePlan(text, 'p.yaml'));
    expect(error.code).toBe('SCHEMA_INVALID');
    expect(error.where).toEqual({ file: 'p.yaml', line, path });
    expect(error.message).toContain(`p.yaml, line ${line}: ${path}`);
    expect(error.exit).toBe(2);
    expect(error.message).not.toContain('sk-live-123');
  });

  it.each([
    ['budget: {usd: -1}', 'budget.usd', 'found -1'],
    ['budget: {usd: .nan}', 'budget.usd', 'non-negative decimal'],
    ['budget: {usd: 1e30}', 'budget.usd', 'at most 1000000000'],
    ['phases: {}', 'phases', 'at least one of pilot, primary and repeat'],
    ['seed: 1.5', 'seed', 'found 1.5'],
  ])('says of %s what was expected or found', (line, path, words) => {
    const head = HEAD.split('\n').filter((l) => !l.startsWith(line.slice(0, 6)));
    const error = failure(() => parsePlan(`${head.join('\n')}${line}\nmodels:\n${ROUTE}`, 'p.yaml'));
    expect(error.where?.path).toBe(path);
    expect(error.message).toContain(words);
  });

  it.each(['Host: x', 'X-OpenRouter-Cache: "true"', 'cf-aig-skip-cache: "false"', 'X-A: "a\\nb"'])(
    'refuses the header %s, which would undo framing or freshness',
    (header) => {
      const text = `${HEAD}models:\n${ROUTE}    headers: {${header}}\n`;
      expect(failure(() => parsePlan(text, 'p.yaml')).message).toMatch(/headers\.\S+: (is set|exp)/);
    },
  );

  it('never repeats a password of an address', () => {
    const text = `${HEAD}models:\n${ROUTE}    base_url: https://u:hunter2@h/v1\n`;
    expect(failure(() => parsePlan(text, 'p.yaml')).message).not.toContain('hunter2');
  });

  it('lists every problem of a plan at once', () => {
    const error = failure(() => parsePlan(`${HEAD}seed: -1\nmodels: []\n`, 'p.yaml'));
    expect(error.message).toContain('p.yaml, line 5: seed');
    expect(error.message).toContain('line 6: models');
  });

  it('refuses a repeated key, broken YAML and an alias bomb', () => {
    expect(failure(() => parsePlan(`${HEAD}name: again\n`, 'p.yaml'))).toMatchObject({
      code: 'JSON_DUPLICATE_KEY',
      where: { line: 5 },
    });
    expect(failure(() => parsePlan('a: [', 'p.yaml')).code).toBe('SCHEMA_INVALID');
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((n, i) => `${n}: &${n} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`).join('\n')}\n`;
    expect(failure(() => parsePlan(bomb, 'p.yaml')).code).toBe('SCHEMA_INVALID');
  });

  it('exports a JSON Schema that names every part', () => {
    const text = JSON.stringify(planJsonSchema());
    for (const word of ['provider_tag', 'max_completion_tokens', 'suspend_after', 'oneOf', 'draft/2020-12'])
      expect(text).toContain(word);
  });
});

describe('pinning of routes', () => {
  const url = 'http://127.0.0.1:1';
  it.each([
    ['openrouter', { provider_tag: undefined }, 'provider_tag is missing'],
    ['openrouter', { expected_provider: undefined }, 'expected_provider is missing'],
    ['openrouter', { expected_model: undefined }, 'expected_model is missing'],
    ['openrouter', { expected_model: '~a/b' }, 'moving alias'],
    ['anthropic', { expected_model: 'b-latest' }, 'moving alias'],
    ['openai', { revision: undefined }, 'revision'],
  ] as const)('refuses %s without a pin: %j', (transport, change, reason) => {
    const model = faultModel(url, transport, 'a/b', change);
    const error = failure(() => compile({ models: [model] }));
    expect(error).toMatchObject({ code: 'ROUTE_UNPINNED', exit: 2 });
    expect(error.message).toContain(reason);
    expect(error.where?.path).toBe('models[0]');
    const { frozenPlan } = compile({ models: [model] }, true);
    expect(frozenPlan.rank_eligible).toBe(false);
    expect(frozenPlan.routes[0]?.ineligible_reason).toContain(reason);
  });

  it('refuses a route that would carry a credential over plain http to another machine', () => {
    const error = failure(() => compile({ models: [faultModel('http://example.org', 'openai', 'a/b')] }));
    expect(error.message).toMatch(/\S+: models\[0\]: a\/b: .*plain http/);
    expect(error.where?.path).toBe('models[0]');
  });

  it('refuses a route whose permission is missing', () => {
    const model = faultModel(url, 'anthropic', 'a/b', { requires_permission: true });
    expect(failure(() => compile({ models: [model] })).code).toBe('ROUTE_NOT_PERMITTED');
  });
});

describe('the frozen plan of a collection', () => {
  const models = [faultModel('http://127.0.0.1:1', 'openai', 'a/b')];

  it('is refused with more cells than one ledger takes, before they are made', () => {
    const many = Array.from({ length: 500 }, (_, i) => ({ id: `s/${i}`, transport: 'simulated' }));
    const error = failure(() =>
      compilePlan({
        plan: readPlan(
          writePlan(folder, {
            task_sets: [{ path: writeTasks(folder, 21) }],
            budget: { usd: '1' },
            phases: { primary: { samples: 100 } },
            models: many,
          }),
        ),
        ...{ folder, file: 'p.yaml', allowUnpinned: false },
      }),
    );
    expect(error.message).toContain('p.yaml: the plan has 1050000 cells');
  });

  it('is named by its content and holds no path', () => {
    const one = compile({ models }).frozenPlan;
    const two = compile({ models }).frozenPlan;
    expect(one).toEqual(two);
    expect(one.artifact_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(one)).not.toContain(folder);
    expect(compile({ models, budget: { usd: '2' } }).frozenPlan.artifact_sha256).not.toBe(one.artifact_sha256);
  });

  it('is refused with the entry of the plan that names a task file that is not there', () => {
    const error = failure(() => compile({ models, task_sets: [{ path: 'gone.jsonl' }] }));
    expect(error.code).toBe('INPUT_NOT_FOUND');
    expect(error.message).toMatch(/: task_sets\[0\]: .*gone\.jsonl: does not exist/);
    expect(error.where?.path).toBe('task_sets[0]');
  });

  it('is refused when a task file has changed', () => {
    const path = writeTasks(folder, 4);
    const set = { path, sha256: '0'.repeat(64) };
    const error = failure(() => compile({ models, task_sets: [set] }));
    expect(error).toMatchObject({
      code: 'DIGEST_MISMATCH',
      where: { path: 'task_sets[0].sha256' },
    });
  });

  it('is refused with two tasks of one prompt, which would be one cell', () => {
    const path = writeTasks(folder, 2);
    const rows = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    rows[1].prompt = rows[0].prompt;
    writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'));
    const file = writePlan(folder, { task_sets: [{ path }], budget: { usd: '1' }, models });
    expect(failure(() => compilePlan({ plan: readPlan(file), folder, file, allowUnpinned: false })).code).toBe(
      'TASK_DUPLICATE',
    );
  });
});

describe('the example plans', () => {
  it('hold the 27 published routes, all pinned', () => {
    const plan = readPlan('fixtures/plans/roster-27.yaml');
    expect(plan.models).toHaveLength(27);
    const permission = { provider: 'p', grantee: 'g', scope: 's', quote_sha256: 'a'.repeat(64) };
    const own = plan.models.map((model) => (model.id === 'z-ai/glm-5.3' ? { ...model, permission } : model));
    writeTasks(folder, 8, 'panel_1');
    writeTasks(folder, 8, 'panel_2');
    const file = writePlan(folder, {
      ...plan,
      models: own,
      task_sets: [{ path: 'panel_1.jsonl' }, { path: 'panel_2.jsonl' }],
    });
    const unfilled = writePlan(folder, { ...plan, task_sets: [{ path: 'panel_1.jsonl' }] }, 'unfilled.json');
    const error = failure(() =>
      compilePlan({ plan: readPlan(unfilled), folder, file: unfilled, allowUnpinned: false }),
    );
    expect([error.code, error.hint]).toEqual(['ROUTE_NOT_PERMITTED', expect.stringContaining('with your own')]);
    const collection = compilePlan({ plan: readPlan(file), folder, file, allowUnpinned: false });
    expect(collection.frozenPlan.rank_eligible).toBe(true);
    const byId = new Map(collection.routes.map((route) => [route.model_id, route]));
    expect(byId.get('x-ai/grok-4.6')).toMatchObject({
      provider_tag: 'xai/zdr',
      expected_provider: 'xAI',
      expected_model: 'x-ai/grok-4.6-20260810',
      effort: 'minimal',
      decoding: { max_tokens: 2048, temperature: 0, top_p: 1, seed: 20260810 },
    });
    expect(byId.get('z-ai/glm-5.3')).toMatchObject({ transport: 'anthropic', auth: 'bearer' });
    const fixed = collection.routes.filter((route) => route.effort === 'provider_fixed');
    expect(fixed).toHaveLength(7);
    const jobs = buildSchedule(collection, ['primary']);
    expect(jobs).toHaveLength(27 * 16);
    const forecast = forecastCost({ jobs, capMicros: usdToMicros(plan.budget.usd) });
    expect(forecast.low_micros).toBeGreaterThan(0);
    expect(forecast.ceiling_micros).toBeGreaterThan(forecast.low_micros);
    expect(forecast.rows.find((row) => row.model_id === 'z-ai/glm-5.3')?.ceiling_micros).toBe(0);
  });

  it.each(['start.yaml', 'demo.yaml'])('have no problem: %s', (name) => {
    expect(readPlan(`fixtures/plans/${name}`).models.length).toBeGreaterThan(1);
  });
});

it('find their task files from the folder of the plan', () => {
  writeTasks(folder, 4);
  writeFileSync(join(folder, 'p.yaml'), `${HEAD.replace('t.jsonl', 'panel_1.jsonl')}models:\n${ROUTE}`);
  const file = join(folder, 'p.yaml');
  expect(compilePlan({ plan: readPlan(file), folder, file, allowUnpinned: false }).tasks).toHaveLength(4);
});

describe('a plan that holds a credential', () => {
  it.each([
    ['headers: {x-goog-api-key: abc}', 'headers.x-goog-api-key'],
    ['headers: {X-Auth-Key: abc}', 'headers.X-Auth-Key'],
    ['headers: {X-Note: AbCdEf0123456789AbCdEf}', 'headers.X-Note'],
    ['extra_body: {api_key: abc}', 'extra_body.api_key'],
    ['extra_body: {vendor: {apiKey: abc}}', 'extra_body.vendor.apiKey'],
    ['extra_body: {options: {password: 12345678}}', 'extra_body.options.password'],
    ['extra_body: {options: {passwords: [a, b]}}', 'extra_body.options.passwords'],
    ['extra_body: {options: {secret: {value: abc}}}', 'extra_body.options.secret'],
    ['extra_body: {options: {sk-proj-abcdef0123456789XYZ: 1}}', 'extra_body.options'],
    ['extra_body: {user: AbCdEf0123456789AbCdEf}', 'extra_body.user'],
    ['name: my sk-live-0123456789abcdef', 'name'],
    ['api_key_env: AbCdEf0123456789AbCdEf', 'api_key_env'],
    ['headers: {X-Gate: {env: AbCdEf0123456789AbCdEf}}', 'headers.X-Gate.env'],
    ['allow_unlisted: {body: [api_key]}\n    extra_body: {api_key: abc}', 'extra_body.api_key'],
  ])('is refused for %s, and the value is not repeated', (line, path) => {
    const error = failure(() => parsePlan(`${HEAD}models:\n${ROUTE}    ${line}\n`, 'p.yaml'));
    expect(error).toMatchObject({ code: 'SCHEMA_INVALID', where: { path: `models[0].${path}` } });
    expect(error.message).toMatch(/variable|env: VARIABLE/);
    expect(error.message).not.toMatch(/AbCdEf0123|0123456789abcdef|abcdef0123456789XYZ/);
  });

  it.each([
    ['headers: {X-Shelf: abc}', 'headers.X-Shelf', 'allow_unlisted: {headers: [X-Shelf]}'],
    ['extra_body: {shelf: abc}', 'extra_body.shelf', 'allow_unlisted: {body: [shelf]}'],
  ])(
    'is not ruled out for a field that nobody knows: %s is refused until the plan allows it by name',
    (line, path, allow) => {
      const error = failure(() => parsePlan(`${HEAD}models:\n${ROUTE}    ${line}\n`, 'p.yaml'));
      expect(error).toMatchObject({ code: 'SCHEMA_INVALID', where: { path: `models[0].${path}` } });
      expect(error.message).toContain(allow);
      expect(error.message).toContain('env: VARIABLE');
      const allowed = parsePlan(`${HEAD}models:\n${ROUTE}    ${line}\n    ${allow}\n`, 'p.yaml');
      expect(allowed.models).toHaveLength(1);
    },
  );

  it('is not seen in ordinary settings', () => {
    const more =
      'headers: {X-Team: kitchen, X-Gate: {env: GATE}}\n    extra_body: {top_k: 40, stop_token_ids: [1, 2], user: cook}';
    expect(parsePlan(`${HEAD}models:\n${ROUTE}    ${more}\n`, 'p.yaml').models).toHaveLength(1);
  });
});
