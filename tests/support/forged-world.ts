import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Engine } from '../../src/engine/engine.js';
import { createEngine } from '../../src/engine/node.js';
import { readAnalysisPlan } from '../../src/inference/analysis-plan.js';
import { readStatedPlan } from '../../src/inference/plan.js';
import { buildRelease } from '../../src/release/build.js';
import { gatherSources } from '../../src/release/gather.js';
import { Findings } from '../../src/release/proofs/findings.js';
import { NO_THREAD } from '../../src/release/proofs/line-proof.js';
import { proveRelease } from '../../src/release/proofs/prove-release.js';
import { cliInline } from './cli-inline.js';
import type { Files } from './forger.js';
import { readDocument } from './release-world.js';
import { collectScripted } from './scripted-collection.js';

const TASKS = resolve('fixtures/tasks-small.json');

/** A release with everything inside, in memory, and what a verification without options finds in it. */
export interface ForgedWorld {
  readonly files: Files;
  readonly dir: string;
  /** Arguments of a command that reads ledger and tasks. */
  readonly from: readonly string[];
  run(...args: string[]): Promise<string>;
  found(files: Files, options?: { readonly quick?: boolean }): Promise<Findings>;
  close(): Promise<void>;
}

const run = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await cliInline(args);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
};

/** Collects three simulated responders, freezes core and plan, infers, analyses and releases. */
export async function forgedWorld(): Promise<ForgedWorld> {
  const dir = mkdtempSync(join(tmpdir(), 'forged-'));
  const at = (name: string) => join(dir, name);
  const plan = {
    ...{ schema: 'flavourbench-plan/1', name: 'forged', task_sets: [{ path: TASKS }], budget: { usd: '0' } },
    models: [1, 0.6, 0.3].map((skill) => ({ id: `sim/skill-${100 * skill}`, transport: 'simulated', skill })),
  };
  writeFileSync(at('plan.json'), JSON.stringify(plan));
  await run('collect', at('plan.json'), '--ledger', at('ledger'), '--yes');
  return releasedWorld(dir, { analyses: true });
}

/** Collects two models over a scripted provider: requests that are rejected, lost, sealed, asked again and put aside; scores are looked at. */
export async function collectedWorld(): Promise<ForgedWorld> {
  const dir = mkdtempSync(join(tmpdir(), 'collected-'));
  await collectScripted({ ledger: join(dir, 'ledger'), tasks: TASKS, plan: join(dir, 'plan.json') });
  return releasedWorld(dir, { analyses: false });
}

/** Makes what verifies files in memory, and keeps every difference. */
export function foundBy(engine: Engine): ForgedWorld['found'] {
  return async (files, options) => {
    const findings = new Findings('', Number.POSITIVE_INFINITY);
    await proveRelease({ files, thread: NO_THREAD, findings, engine, ...options });
    return findings;
  };
}

/** Makes a release of `ledger` in a folder, in memory. */
async function releasedWorld(dir: string, { analyses }: { readonly analyses: boolean }): Promise<ForgedWorld> {
  const at = (name: string) => join(dir, name);
  const from = ['--ledger', at('ledger'), '--tasks', TASKS];
  const core = ['--core', at('core.json')];
  const draws = ['--draws', '60', '--flips', '60', '--quiet'];
  await run('core', 'freeze', ...from, '--seed', 's', '--per-stratum', '4', '--out', at('core.json'));
  await run('core', 'matrix', ...from, ...core, '--out', at('m.arrow'));
  if (analyses)
    await run('infer', 'plan', ...core, '--draws', '60', '--flips', '60', '--out', at('analysis-plan.json'));
  await run('infer', '--scores', at('m.arrow'), ...draws, '--out', at('inference'));
  const inference = ['--inference', at('inference/inference.json')];
  const sensitivity = ['sensitivity', 'all', '--scores', at('m.arrow'), ...from, ...core, ...inference];
  if (analyses) await run(...sensitivity, '--draws', '12', '--quiet', '--out', at('analyses'));
  const engine: Engine = await createEngine({ backend: 'wasm' });
  const planBytes = analyses ? readFileSync(at('analysis-plan.json')) : null;
  const { sources } = await gatherSources({
    tasks: [TASKS],
    core: at('core.json'),
    ledgers: [at('ledger')],
    responses: [],
    plan: readStatedPlan(readDocument(dir, 'inference/inference.json').plan, 'inference.json'),
    analysisPlan: planBytes && {
      plan: readAnalysisPlan(planBytes.toString('utf8'), 'plan.json'),
      bytes: planBytes,
      witnesses: [],
      token: null,
    },
    analyses: analyses ? [at('analyses')] : [],
    title: { benchmark: 'Small', track: 'Tasks', claim: 'Nothing', licence: 'none' },
  });
  const { files } = await buildRelease({ sources, engine });
  return {
    files: new Map(files.map(({ name, bytes: own }) => [name, own])),
    dir,
    from,
    run,
    found: foundBy(engine),
    async close() {
      await engine.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
