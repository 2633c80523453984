import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PyValue, parsePyJson, pySealed, pyStored } from '../../src/io/pyjson.js';
import { scoreFiles, verifyReport } from '../../src/responses/score-files.js';
import { verifyCorePlan, verifyTaskFiles } from '../../src/tasks/task-files.js';
import { FlavourError } from '../../src/util/error.js';
import { taskRow } from './support.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mutation-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

type Tree = { [key: string]: unknown };

/** A copy in which the node that `path` leads to (each step modulo the number of children) is another value. */
function mutated(value: unknown, path: readonly number[], other: unknown): unknown {
  const [step, ...rest] = path;
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (step === undefined || keys.length === 0) return other;
  const key = keys[step % keys.length]!;
  const copy = Array.isArray(value) ? [...value] : { ...(value as Tree) };
  (copy as Tree)[key] = mutated((value as Tree)[key], rest, other);
  return copy;
}

const path = fc.array(fc.nat(60), { maxLength: 5 });
const other = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1e300, '', 'ABC', [], {}, [[]], { index: null }, { toString: 0, valueOf: null }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Runs a reader on mutants: it accepts them or says what is wrong; anything else thrown is a bug. */
function survive(document: unknown, read: (file: string) => unknown): void {
  let refused = 0;
  fc.assert(
    fc.property(path, other, fc.boolean(), (steps, value, seal) => {
      let mutant = mutated(document, steps, value);
      if (seal && typeof mutant === 'object' && mutant !== null && !Array.isArray(mutant)) {
        mutant = JSON.parse(JSON.stringify(mutant));
        mutant = {
          ...(mutant as Tree),
          artifact_sha256: pySealed(parsePyJson(JSON.stringify(mutant)) as { [key: string]: PyValue }).artifact_sha256,
        };
      }
      writeFileSync(at('mutant.json'), JSON.stringify(mutant));
      try {
        read(at('mutant.json'));
      } catch (error) {
        refused += 1;
        if (!(error instanceof FlavourError)) throw error;
        expect(error.message).not.toMatch(/\bundefined\b.*\bundefined\b|NaN/);
      }
    }),
    { numRuns: 250 },
  );
  expect(refused).toBeGreaterThan(20);
}

describe('readers of damaged documents', () => {
  const families = ['substitution', 'pairing', 'constraint'];
  const rows = families.map((family) => taskRow(family, { family }));

  it('throw nothing but errors that say what is wrong with a task set', () => {
    survive({ tasks: rows, replication: { index: 2 }, counts: { tasks: 3 } }, (file) => verifyTaskFiles([file]));
  });

  it('throw nothing but errors that say what is wrong with a core plan', () => {
    const plan = pySealed({
      common_core: {
        selection_seed: 's',
        panels: { panel_1: { selected_task_ids_by_family: { pairing: ['a'], constraint: ['b'] } } },
      },
    } as { [key: string]: PyValue });
    survive(plan, verifyCorePlan);
  });

  it('throw nothing but errors that say what is wrong with a report or with answers', () => {
    writeFileSync(at('tasks.json'), JSON.stringify(rows));
    const answers = families.map((task_id) => ({
      task_id,
      model: 'm',
      response: 'FINAL_SELECTION: A,B,C',
    }));
    writeFileSync(at('answers.json'), JSON.stringify(answers));
    const tasks = [at('tasks.json')];
    const { report } = scoreFiles({ responses: at('answers.json'), tasks });
    survive(JSON.parse(pyStored(report.document as PyValue)), (file) => verifyReport({ report: file }));
    survive(answers, (file) => scoreFiles({ responses: file, tasks }));
  });
});
