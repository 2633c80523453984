import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { coreDocument } from '../../src/core/core-document.js';
import { chooseRecords, modelsOf, openSources } from '../../src/core/ledger-records.js';
import { selectCore } from '../../src/core/select-core.js';
import { outlines } from '../../src/core/task-outline.js';
import { validityOf } from '../../src/core/validity.js';
import { sha256 } from '../../src/io/digest.js';
import type { Task } from '../../src/tasks/task.js';
import { readTaskSet } from '../../src/tasks/task-files.js';
import type { TaskFiles } from '../../src/tasks/taskset.js';
import { answerDraft, bindingFor, failureDraft, openLedger } from '../ledger/support.js';
import { freshFolder } from '../support/folders.js';

const IMPORT = /^\s*(?:import|export)\s[^'"]*?from\s+['"](\.[^'"]+)['"]/gm;

/** Every file of ours that a file can reach by imports, type imports included. */
function reachable(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8');
  for (const match of text.matchAll(IMPORT))
    reachable(resolve(dirname(file), match[1]!.replace(/\.js$/, '.ts')), found);
  return found;
}

const small = readTaskSet('fixtures/tasks-small.json');

/** Tasks whose scores, optimum, chance and margin cannot be looked at. */
const sealedTasks: Task[] = small.tasks.map(
  (task) =>
    new Proxy(task, {
      get(target, name) {
        if (['scores', 'optimal', 'chance', 'margin'].includes(String(name)))
          throw new Error(`the freezing of a core looked at ${String(name)}`);
        return target[name as keyof Task];
      },
    }),
);

async function ledgerOf(answer: (task: Task, model: number) => string | undefined) {
  const dir = freshFolder();
  const ledger = await openLedger(dir);
  const writes: Promise<unknown>[] = [];
  for (let model = 0; model < 2; model += 1) {
    for (const task of small.tasks) {
      const binding = bindingFor({
        model_id: `m/${model}`,
        task: task.id,
        family: task.family,
        panel: task.panel,
        prompt_sha256: sha256(task.prompt),
      });
      const text = answer(task, model);
      const draft = text === undefined ? failureDraft('refusal') : answerDraft(text);
      writes.push(ledger.putRecord(ledger.compose(binding, draft)));
    }
  }
  await Promise.all(writes);
  await ledger.close();
  return dir;
}

function freeze(dir: string) {
  const files: TaskFiles = {
    sets: [],
    tasks: sealedTasks,
    byId: new Map(),
  };
  const sources = openSources([dir]);
  const models = modelsOf(sources, 'primary');
  const panels = outlines(files);
  const tasks = [...panels.values()].flat();
  const chosen = chooseRecords({ sources, models, tasks, phase: 'primary', repeat: 0, parser: 'v4' });
  const matrices = [...panels].map(([panel, list]) => validityOf({ panel, models, tasks: list, chosen }));
  const families = ['substitution', 'pairing', 'constraint'];
  const selection = selectCore({ matrices, families, seed: 's', perStratum: 'auto' });
  const provenance = {
    ledgers: [],
    task_sets: [],
    parser: 'v3',
    phase: 'primary',
    records: new Map(),
    mixed_contracts: [],
    unpinned_model_ids: [],
  };
  return coreDocument({ selection, matrices, families, provenance });
}

describe('the selection of a core without scores', () => {
  it.each(['select-core', 'validity', 'core-document'])(
    'imports nothing, from src/core/%s.ts on, that knows a task, an answer or a score',
    (name) => {
      const src = resolve('src');
      const files = [...reachable(join(src, 'core', `${name}.ts`))].map((f) => relative(src, f));
      const own = ['core/select-core.ts', 'core/validity.ts', 'core/core-document.ts', 'collect/protocol.ts'];
      expect(files.length).toBeGreaterThan(1);
      expect(files.filter((f) => !/^(?:util|io)\//.test(f) && !own.includes(f))).toEqual([]);
    },
  );

  it('never looks at a map on the path from ledger to plan', async () => {
    const dir = await ledgerOf(() => 'FINAL_SELECTION: A,B,C');
    expect(() => freeze(dir)).not.toThrow();
    expect(() => sealedTasks[0]?.scores).toThrow(/looked at scores/);
  });

  it('gives the same plan for the best answers and for the worst', async () => {
    const spoilt = (task: Task, model: number) => {
      const place = Number.parseInt(sha256(`${task.id}${model}`).slice(0, 4), 16) % 12;
      return place === 0 ? undefined : place === 1 ? 'no marker here' : null;
    };
    const names = (labels: string) => `FINAL_SELECTION: ${[...labels].join(', ')}`;
    const plain = await ledgerOf((t, m) => {
      const bad = spoilt(t, m);
      return bad === null ? names('ABC') : bad;
    });
    const other = await ledgerOf((t, m) => {
      const bad = spoilt(t, m);
      return bad === null ? names(m === 0 ? 'FGH' : 'CDE') : bad;
    });
    expect(freeze(other).artifact_sha256).toBe(freeze(plain).artifact_sha256);
    const allGood = await ledgerOf(() => names('ABC'));
    expect(freeze(allGood).artifact_sha256).not.toBe(freeze(plain).artifact_sha256);
  });
});
