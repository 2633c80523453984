import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { protocolOf } from '../../src/collect/protocol.js';
import { releaseWords } from '../../src/explorer/release-words.js';
import { readArrow } from '../../src/io/arrow.js';
import { openRelease } from '../../src/release/open/open-release.js';
import { cliInline } from '../support/cli-inline.js';
import { temporaryFolder } from '../support/collect-run.js';
import { readDocument, reseal, writeDocument } from '../support/release-world.js';

/** A ledger, cores and a release of version 0.1.0: alpha and beta on `leaderboard`, gamma on `bare`. */
const OLD = 'fixtures/version-1/collection';
const TASKS = `${OLD}/panel_1.jsonl`;
const { sha256: LEADERBOARD } = protocolOf('leaderboard');
const { sha256: BARE } = protocolOf('bare');

let dir: string;
let ledger: string;
const at = (name: string) => join(dir, name);
const from = () => ['--ledger', ledger, '--tasks', TASKS];
const freeze = (out: string, ...more: string[]) =>
  cliInline(['core', 'freeze', ...from(), '--seed', 's', '--per-stratum', 'auto', '--out', at(out), ...more]);
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

async function ok(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await cliInline(args);
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
  return stdout;
}

beforeAll(() => {
  dir = temporaryFolder();
  ledger = at('ledger');
  cpSync(`${OLD}/ledger`, ledger, { recursive: true });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('a ledger with models on two protocols', () => {
  it('gives no core over both', async () => {
    const { code, stderr } = await freeze('both.json');
    expect(code).toBe(2);
    expect(stderr).toContain('PROTOCOL_MIXED');
    expect(stderr).toContain(`leaderboard ${LEADERBOARD} (sim/alpha, sim/beta); bare ${BARE} (sim/gamma)`);
    expect(stderr).toContain('--protocol leaderboard');
  });

  it('gives a core of one of them, which says what it is of and who was left out', async () => {
    const { code, stdout } = await freeze('core.json', '--protocol', 'leaderboard');
    expect(code).toBe(0);
    expect(stdout).toContain('Every model was asked under protocol leaderboard, version 1: a system turn,');
    expect(stdout).toContain(`left out: sim/gamma, asked under bare ${BARE}`);
    const { sources, common_core } = json(at('core.json'));
    expect(common_core.ranked_model_ids).toEqual(['sim/alpha', 'sim/beta']);
    expect(sources.protocol).toEqual(protocolOf('leaderboard'));
    expect(sources.left_out_by_protocol).toEqual([{ model_id: 'sim/gamma', protocol_sha256: BARE }]);
    const named = await freeze('bare.json', '--protocol', BARE, '--json');
    expect(JSON.parse(named.stdout).left_out_by_protocol).toHaveLength(2);
    const roster = await freeze('roster.json', '--protocol', 'bare', '--roster', `${OLD}/roster.txt`);
    expect(roster.code).toBe(2);
    expect(roster.stderr).toMatch(/no record of model sim\/alpha .* under protocol bare/);
  });

  it('gives a matrix that names the protocol, and single answers of the core’s protocol alone', async () => {
    await ok('core', 'matrix', ...from(), '--core', at('core.json'), '--out', at('m.arrow'));
    const { metadata } = await readArrow(readFileSync(at('m.arrow')), 'm');
    expect(JSON.parse(metadata.get('sources')!)).toMatchObject({ protocol: LEADERBOARD });
    const answers = ['--ledger', ledger, '--tasks', TASKS, '--scores', at('m.arrow'), '--quiet'];
    await ok('sensitivity', 'metrics', ...answers, '--core', at('core.json'), '--out', at('metrics'));
    await ok('sensitivity', 'metrics', ...answers, '--out', at('metrics'));
  });
});

describe('a release', () => {
  const build = (core: string, out: string) =>
    cliInline(['release', 'build', ...from(), '--core', core, '--no-figures', '--out', at(out)]);
  const verify = async (name: string) => {
    const { code, stdout } = await cliInline(['release', 'verify', at(name), '--json']);
    return { code, ...(JSON.parse(stdout) as { differences: { file: string; found: string }[]; notes: string[] }) };
  };

  it('states its protocol in words and digest, and how each model was asked', async () => {
    expect((await build(at('core.json'), 'release')).code).toBe(0);
    expect(readDocument(at('release'), 'release.json').results).toMatchObject({
      protocol: { name: 'leaderboard', version: 1, sha256: LEADERBOARD, words: expect.stringContaining('final turn') },
    });
    const [alpha] = readDocument(at('release'), 'models.json').models as { routes: unknown[] }[];
    expect(alpha?.routes).toMatchObject([{ asked: { effort: 'provider_fixed', extra_body: {} } }]);
    expect(readFileSync(at('release/README.md'), 'utf8')).toContain(LEADERBOARD);
    const words = releaseWords(await openRelease(at('release')));
    expect(words.join(' ')).toContain('under protocol leaderboard, version 1');
    expect(await verify('release')).toMatchObject({ code: 0, differences: [] });
  });

  it('is refused over two protocols, also with a core that version 0.1.0 froze over them', async () => {
    const mixed = `${OLD}/core-mixed.json`;
    const built = await build(mixed, 'mixed');
    expect([built.code, built.stderr]).toEqual([2, expect.stringContaining('PROTOCOL_MIXED')]);
    const matrix = await cliInline(['core', 'matrix', ...from(), '--core', mixed, '--out', at('mixed.csv')]);
    expect([matrix.code, matrix.stderr]).toEqual([2, expect.stringContaining('PROTOCOL_MIXED')]);
    const bare = await cliInline(['release', 'build', ...from(), '--no-figures', '--out', at('all')]);
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining('PROTOCOL_MIXED')]);
  });

  it('has lines that are never inferred from beside those of another protocol', async () => {
    await freeze('gamma.json', '--protocol', 'bare');
    expect((await build(at('gamma.json'), 'gamma')).code).toBe(0);
    const lines = ['release', 'gamma'].map((name) => at(`${name}/observations.jsonl`));
    const { code, stderr } = await cliInline([
      'infer',
      '--responses',
      ...lines,
      '--tasks',
      TASKS,
      '--out',
      at('pooled'),
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`bare ${BARE} (sim/gamma)`)]);
    const score = (file: string, model: string, ...more: string[]) =>
      cliInline(['score', file, '--model', model, '--tasks', TASKS, '--no-inference', '--allow-partial', ...more]);
    await score(lines[0]!, 'sim/alpha', '--out', at('alpha-report.json'));
    const compared = await score(lines[1]!, 'sim/gamma', '--out', at('g.json'), '--compare', at('alpha-report.json'));
    expect([compared.code, compared.stderr]).toEqual([2, expect.stringContaining('PROTOCOL_MIXED')]);
  });

  it('fails its verification when it says that models were asked otherwise', async () => {
    type Route = { asked: object | null };
    const forged = async (name: string, change: (route: Route, model: number) => void) => {
      cpSync(at('release'), at(name), { recursive: true });
      const document = readDocument(at(name), 'models.json');
      (document.models as { routes: Route[] }[]).forEach((model, m) => {
        for (const route of model.routes) change(route, m);
      });
      writeDocument(at(name), 'models.json', document);
      reseal(at(name));
      return verify(name);
    };
    const bare = await forged('bare', (route) => {
      route.asked = { ...route.asked, protocol: protocolOf('bare') };
    });
    expect([bare.code, bare.differences[0]?.found]).toEqual([4, expect.stringMatching(/the records are bound to/)]);
    const silent = await forged('silent', (route) => {
      route.asked = null;
    });
    expect([silent.code, silent.differences[0]?.found]).toEqual([4, expect.stringMatching(/no protocol is stated/)]);
  });

  it('of version 0.1.0 verifies, and says that it states no protocol', async () => {
    const { code, stdout } = await cliInline(['release', 'verify', `${OLD}/release`]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/not proved +1 {2}the protocol under which the models were asked/);
  });
});

describe('a ledger, a plan and a core of version 0.1.0', () => {
  it('go on: nothing is asked again, and core, matrix and release follow', async () => {
    const resumed = await ok('collect', `${OLD}/plan.json`, '--ledger', ledger);
    expect(resumed).toMatch(/complete: 0 asked.*before: 36 completed/);
    await ok('ledger', 'verify', ledger, '--tasks', TASKS);
    const core = `${OLD}/core.json`;
    await ok('core', 'matrix', ...from(), '--core', core, '--out', at('old.csv'));
    await ok('release', 'build', ...from(), '--core', core, '--no-figures', '--out', at('onward'));
    await ok('release', 'verify', at('onward'));
    expect(readDocument(at('onward'), 'release.json').results).toMatchObject({ protocol: { sha256: LEADERBOARD } });
  });

  it('are collected further, by a larger plan and after an interruption, and what follows verifies', async () => {
    const grown = at('grown');
    cpSync(`${OLD}/ledger`, grown, { recursive: true });
    copyFileSync(TASKS, at('panel_1.jsonl'));
    const plan = json(`${OLD}/plan.json`);
    plan.models.push({ id: 'sim/delta', transport: 'simulated', skill: 0.3 });
    writeFileSync(at('grown.json'), JSON.stringify(plan));
    const more = await ok('collect', at('grown.json'), '--ledger', grown);
    expect(more).toMatch(/complete: 12 asked.*before: 36 completed/);
    const cut = at('cut');
    cpSync(`${OLD}/ledger`, cut, { recursive: true });
    const kept = readFileSync(`${cut}/attempts.jsonl`, 'utf8').split('\n').slice(0, 95).join('\n');
    writeFileSync(`${cut}/attempts.jsonl`, `${kept}\n`);
    for (const name of readdirSync(`${cut}/records`, { recursive: true, encoding: 'utf8' })) {
      const sha256 = /-([0-9a-f]{64})\.json$/.exec(name)?.[1];
      if (sha256 !== undefined && !kept.includes(sha256)) rmSync(join(`${cut}/records`, name));
    }
    const rest = await ok('collect', `${OLD}/plan.json`, '--ledger', cut);
    expect(rest).toMatch(/complete: .*; before: [1-9]\d* completed, [1-9]\d* failed \([1-9]\d* sealed now\)/);
    writeFileSync(at('retry.jsonl'), await ok('ledger', 'failures', cut));
    await ok('collect', `${OLD}/plan.json`, '--ledger', cut, '--retry', at('retry.jsonl'));
    expect(await ok('ledger', 'status', cut)).toContain('36 completed, 0 failed, 0 open of 36');
    for (const [dir, name] of [
      [grown, 'grown'],
      [cut, 'cut'],
    ] as const) {
      await ok('ledger', 'verify', dir, '--tasks', TASKS);
      const own = ['--ledger', dir, '--tasks', TASKS];
      const core = at(`${name}-core.json`);
      const chosen = ['--seed', 's', '--per-stratum', 'auto', '--protocol', 'leaderboard', '--out', core];
      expect((await cliInline(['core', 'freeze', ...own, ...chosen])).code).toBe(0);
      await ok('release', 'build', ...own, '--core', core, '--no-figures', '--out', at(`${name}-release`));
      await ok('release', 'verify', at(`${name}-release`));
    }
  });

  it('are damaged where the plan that records name is gone', async () => {
    const torn = at('torn');
    cpSync(`${OLD}/ledger`, torn, { recursive: true });
    const { stdout } = await cliInline(['ledger', 'verify', torn, '--json']);
    expect(JSON.parse(stdout).problems).toEqual([]);
    const plan = '143572b20fe44af29ebbb3714d3dee4c2925d499caf98b595aec79cfce0d4cf8';
    rmSync(join(torn, `manifest-${plan}.json`));
    const args = ['--ledger', torn, '--tasks', TASKS, '--seed', 's', '--per-stratum', 'auto', '--out', at('x.json')];
    const { code, stderr } = await cliInline(['core', 'freeze', ...args]);
    expect([code, stderr]).toEqual([4, expect.stringMatching(/LEDGER_DAMAGED.*records name this frozen plan/)]);
  });
});

describe('imported answers', () => {
  const line = (model: string, id: string) =>
    `${JSON.stringify({ model_id: model, task_id: id, response: 'FINAL_SELECTION: A,B,C' })}\n`;

  it('state no protocol: they stand among themselves and are never pooled with answers that do', async () => {
    const ids = readFileSync(TASKS, 'utf8')
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row).task_id as string);
    for (const model of ['one', 'two'])
      writeFileSync(at(`${model}.jsonl`), ids.map((id) => line(`import/${model}`, id)).join(''));
    const elsewhere = at('imports');
    for (const model of ['one', 'two'])
      await ok('ledger', 'import', elsewhere, at(`${model}.jsonl`), '--tasks', TASKS, '--label', model);
    const args = ['--tasks', TASKS, '--seed', 's', '--per-stratum', 'auto', '--allow-unpinned'];
    const alone = await ok('core', 'freeze', '--ledger', elsewhere, ...args, '--out', at('imports.json'));
    expect(alone).toContain('The answers do not state the protocol');
    expect(json(at('imports.json')).sources.protocol).toBeNull();
    const both = ['--ledger', ledger, elsewhere, ...args];
    const pooled = await cliInline(['core', 'freeze', ...both, '--out', at('pooled.json')]);
    expect([pooled.code, pooled.stderr]).toEqual([2, expect.stringContaining('unstated (import/one, import/two)')]);
    await ok('core', 'freeze', ...both, '--protocol', 'unstated', '--out', at('split.json'));
    expect(json(at('split.json')).sources.left_out_by_protocol).toHaveLength(3);
  });
});
