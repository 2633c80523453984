import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { philoxDraw } from '../src/engine/index.js';
import { RANKED_FAMILIES } from '../src/tasks/task.js';

const RUNS = 5;
const MODELS = 27;
/** Tasks of each of six strata: 534 in all, as the released core has them. */
const PER_STRATUM = 89;
/** All candidates of the ranked families: 960 of 1,280 tasks are ranked, all of them answered. */
const ALL_PER_STRATUM = 160;
/** Files of tasks, one a panel. */
const PANELS = ['1.json', '2.json'];

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/bundle/run.cjs', ...args], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

interface CompiledTask {
  readonly task_id: string;
  readonly family: string;
  readonly optimal_selection: string;
}

/** Answers of models of graded skill to every task, as texts of usual length. */
function answers(tasks: readonly CompiledTask[]): string {
  const words = philoxDraw({ seed: 3n, stream: 0xbe7c, draw: 0 });
  const reasons = 'Each of the three was weighed against the others and against what the task asks for. '.repeat(4);
  const labels = [...'ABCDEFGH'];
  const lines = Array.from({ length: MODELS }, (_, m) =>
    tasks.map(({ task_id, optimal_selection: best }) => {
      const knows = words.word() / 2 ** 32 < 0.1 + m / 40;
      const at = words.word() % 6;
      const selection = knows ? [...best] : labels.slice(at, at + 3);
      const answer = `${reasons}\n\nFINAL_SELECTION: ${selection.join(', ')}`;
      return `${JSON.stringify({ model_id: `simulated/model-${m + 1}`, task_id, answer })}\n`;
    }),
  );
  return lines.flat().join('');
}

/** Compiles both panels; returns their tasks, panel by panel. */
function madeTasks(at: (name: string) => string): CompiledTask[][] {
  const from = ['compile', '--env', 'pantry', '--seed', 'bench'];
  run(...from, '--out', at('1.json'));
  run(...from, '--panel', '2', '--after', at('1.json'), '--out', at('2.json'));
  return PANELS.map((name) => (JSON.parse(readFileSync(at(name), 'utf8')) as { tasks: CompiledTask[] }).tasks);
}

/** As many tasks of each ranked family of a panel, which are those that a core of that size takes where nothing else is answered. */
function stratified(panels: readonly (readonly CompiledTask[])[], perStratum: number): CompiledTask[] {
  return panels.flatMap((tasks) =>
    RANKED_FAMILIES.flatMap((ranked) => tasks.filter(({ family }) => family === ranked).slice(0, perStratum)),
  );
}

/** Makes a ledger with the records of these tasks; returns the arguments that name it and all tasks. */
function madeLedger(at: (name: string) => string, name: string, answered: readonly CompiledTask[]): string[] {
  const tasks = ['--tasks', ...PANELS.map(at)];
  writeFileSync(at(`${name}.jsonl`), answers(answered));
  run('ledger', 'import', at(name), at(`${name}.jsonl`), ...tasks, '--label', 'bench');
  return ['--ledger', at(name), ...tasks];
}

/** Freezes a core of as many tasks a stratum, and infers; returns the arguments that name both. */
function madeCore(at: (name: string) => string, from: readonly string[], perStratum: number) {
  const [core, matrix] = [at(`core-${perStratum}.json`), at(`matrix-${perStratum}.arrow`)];
  const size = ['--seed', 'bench', '--per-stratum', String(perStratum), '--allow-unpinned'];
  run('core', 'freeze', ...from, ...size, '--out', core);
  run('core', 'matrix', ...from, '--core', core, '--out', matrix);
  run('infer', '--scores', matrix, '--quiet', '--out', at(`inference-${perStratum}`));
  const inference = ['--inference', join(at(`inference-${perStratum}`), 'inference.json')];
  return { core: ['--core', core], inference, scores: ['--scores', matrix] };
}

/** Makes the eight analyses, of maps and substitutions too; returns the arguments that name them. */
function madeAnalyses(at: (name: string) => string, from: readonly string[], made: ReturnType<typeof madeCore>) {
  run('maps', ...from.slice(2), '--env', 'pantry', '--out', at('again.jsonl'));
  const observed = ['--substitutions', 'fixtures/substitutions-test.jsonl'];
  const trained = ['--substitutions-train', 'fixtures/substitutions-train.jsonl'];
  const others = ['--maps', `again=${at('again.jsonl')}`, '--env', 'pantry', ...observed, ...trained];
  const own = [...made.core, ...made.scores, ...made.inference];
  run('sensitivity', 'all', ...from, ...own, ...others, '--quiet', '--out', at('analyses'));
  return ['--analyses', at('analyses')];
}

/** Median milliseconds of a verification from a cold shell. */
function verified(release: string, ...flags: string[]): number {
  const times: number[] = [];
  for (let n = 0; n <= RUNS; n++) {
    const start = performance.now();
    run('release', 'verify', release, ...flags);
    if (n > 0) times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[RUNS >> 1]!;
}

/** `release verify` of releases of 27 models, with the records of 534 tasks and of all 1,280; start of Node and reading included. */
export function measure(): { name: string; value: number; unit: string }[] {
  const folder = mkdtempSync(join(tmpdir(), 'flavourbench-release-'));
  const at = (name: string) => join(folder, name);
  try {
    const panels = madeTasks(at);
    const build = (
      out: string,
      from: string[],
      { core, inference }: ReturnType<typeof madeCore>,
      ...more: string[]
    ) => {
      run('release', 'build', ...from, ...core, ...inference, ...more, '--no-figures', '--out', at(out));
      return at(out);
    };
    const few = madeLedger(at, 'ledger-534', stratified(panels, PER_STRATUM));
    const ranked = madeCore(at, few, PER_STRATUM);
    const release = build('release', few, ranked, ...madeAnalyses(at, few, ranked));
    const every = madeLedger(at, 'ledger-1280', panels.flat());
    const all = build('all', every, madeCore(at, every, ALL_PER_STRATUM));
    return [
      { name: 'release verified, 27 x 534 with records, --quick', value: verified(release, '--quick'), unit: 'ms' },
      { name: 'the same with its analyses run again', value: verified(release), unit: 'ms' },
      { name: 'release verified, 27 x 1,280 with records', value: verified(all), unit: 'ms' },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
