import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/io/digest.js';
import { type PyValue, pyDigest, pySealed, pyStored } from '../../src/io/pyjson.js';
import { coreTasks } from '../../src/tasks/coreplan.js';
import { mapStatistics } from '../../src/tasks/map-statistics.js';
import { readCorePlan, readTaskFiles, verifyTaskFile, verifyTaskFiles } from '../../src/tasks/task-files.js';
import type { FlavourError } from '../../src/util/error.js';
import { noShared, shared } from '../support/shared.js';
import { taskRow } from './support.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

type Row = Record<string, PyValue>;

/** A small sealed task set, then `change` without new digests. */
function written(change: (document: { tasks: Row[] } & Row) => void, reseal = false, name = 'set.json') {
  const tasks = ['a', 'b'].map((id) => {
    const row = taskRow(id) as Row;
    const reference = { anchor: row.anchor_ingredient as string, method: 'none' };
    return {
      ...row,
      selection_size: 3,
      validation_stratum: 1,
      optimal_margin_bps: 4600,
      prompt_sha256: sha256(row.prompt as string),
      oracle_reference: reference,
      oracle_reference_sha256: pyDigest(reference),
    } as Row;
  });
  const digest = () =>
    pyDigest(
      tasks.map((row) => ({
        task_id: row.task_id as string,
        prompt_sha256: row.prompt_sha256 as string,
        oracle_reference_sha256: row.oracle_reference_sha256 as string,
        score_map_sha256: pyDigest(row.selection_scores_bps as PyValue),
      })),
    );
  const document = {
    schema_version: 'own',
    counts: { tasks: 2, tasks_per_family: 2 },
    tasks,
    task_set_sha256: '',
  };
  document.task_set_sha256 = digest();
  let whole = pySealed(document) as unknown as { tasks: Row[] } & Row;
  change(whole);
  if (reseal) whole = pySealed(whole) as unknown as { tasks: Row[] } & Row;
  const path = join(folder, name);
  writeFileSync(path, pyStored(whole));
  return path;
}

function failure(change: (document: { tasks: Row[] } & Row) => void, reseal = false): FlavourError {
  try {
    verifyTaskFile(written(change, reseal));
  } catch (error) {
    return error as FlavourError;
  }
  throw new Error('accepted');
}

describe('verification of task files', () => {
  it('fails on a file without a task', () => {
    for (const text of ['[]', '{"tasks":[]}']) {
      const path = join(folder, 'none.json');
      writeFileSync(path, text);
      expect(() => verifyTaskFile(path)).toThrow('tasks: expected "at least one task", found "none"');
    }
  });

  it('accepts a sealed set and its plain rows', () => {
    const path = written(() => {});
    expect(verifyTaskFile(path)).toMatchObject({ kind: 'document', released: false });
    const rows = join(folder, 'rows.jsonl');
    writeFileSync(rows, `${JSON.stringify(taskRow('a'))}\n`);
    expect(verifyTaskFile(rows)).toMatchObject({ kind: 'rows', released: false });
  });

  it.each<[string, (document: { tasks: Row[] } & Row) => void, RegExp]>([
    [
      'a prompt',
      (d) => {
        d.tasks[1]!.prompt = 'other';
      },
      /prompt_sha256: expected "[0-9a-f]{64}", found "[0-9a-f]{64}"/,
    ],
    [
      'a margin',
      (d) => {
        d.tasks[0]!.optimal_margin_bps = 4601;
      },
      /optimal_margin_bps: expected 4600, found 4601/,
    ],
    [
      'a reference',
      (d) => {
        d.tasks[0]!.oracle_reference = { anchor: 'anchor_a', method: 'x' };
      },
      /oracle_reference_sha256: expected .* \(task a\)/,
    ],
    [
      'a score',
      (d) => {
        (d.tasks[0]!.selection_scores_bps as Row).ABC = 1;
      },
      /task_set_sha256: expected/,
    ],
    [
      'a score and its chance',
      (d) => {
        (d.tasks[0]!.selection_scores_bps as Row).ABC = 5000;
      },
      /chance_score_bps: \d+ expected, found 2830/,
    ],
    [
      'an optimum',
      (d) => {
        d.tasks[0]!.optimal_selection = 'ABC';
      },
      /optimal_selection: FGH expected/,
    ],
    [
      'a size',
      (d) => {
        d.tasks[0]!.selection_size = 4;
      },
      /selection_size: expected 3, found 4/,
    ],
    [
      'an id',
      (d) => {
        d.tasks[1]!.task_id = 'a';
      },
      /task_id: expected "a unique id"/,
    ],
    [
      'the seal',
      (d) => {
        d.note = 'x';
      },
      /artifact_sha256: expected/,
    ],
    [
      'the list',
      (d) => {
        d.tasks.pop();
      },
      /number of tasks: expected 2, found 1/,
    ],
    [
      'a stratum',
      (d) => {
        d.tasks[0]!.family = 'pairing';
      },
      /tasks of pairing: expected 2, found 1/,
    ],
  ])('names the first difference when %s is changed', (_, change, words) => {
    const error = failure(change);
    expect(error).toMatchObject({ code: 'VERIFY_FAILED', exit: 4 });
    expect(error.message).toMatch(words);
  });

  it('finds a concrete answer in a prompt and a second task of an anchor', () => {
    const prompt = 'Answer as in final_selection : a , b , c.';
    expect(
      failure((d) => {
        d.tasks[0]!.prompt = prompt;
        d.tasks[0]!.prompt_sha256 = sha256(prompt);
      }).message,
    ).toContain('prompt: expected "no concrete answer"');
    expect(
      failure((d) => {
        const reference = { anchor: 'anchor_a', method: 'none' };
        d.tasks[1]!.anchor_ingredient = 'anchor_a';
        d.tasks[1]!.oracle_reference = reference;
        d.tasks[1]!.oracle_reference_sha256 = pyDigest(reference);
      }).message,
    ).toContain('anchor_ingredient: expected "a unique anchor"');
  });

  it('holds a digest in the file name to the document', () => {
    const path = written(() => {}, false, `set-${'0'.repeat(64)}.json`);
    expect(() => verifyTaskFile(path)).toThrow(/digest in the file name/);
  });

  it('refuses one task in two files', () => {
    const one = written(() => {}, false, 'one.json');
    const two = written(
      (d) => {
        d.note = 'another';
      },
      true,
      'two.json',
    );
    expect(() => verifyTaskFiles([one, two])).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/task_id: expected "a unique id", found "also in .*one\.json"/),
        hint: expect.stringMatching(/^Give every task once/),
        exit: 4,
      }),
    );
  });

  it('refuses one file twice as a call that is wrong', () => {
    const one = written(() => {}, false, 'one.json');
    const same = written(() => {}, false, 'same.json');
    expect(() => verifyTaskFiles([one, same])).toThrow(
      expect.objectContaining({ code: 'USAGE', exit: 2, hint: 'Give every file once.' }),
    );
  });

  it('says what a digest over all tasks leaves open, and whether the seal holds', () => {
    const change = (d: { tasks: Row[] } & Row) => {
      (d.tasks[0]!.selection_scores_bps as Row).ABC = 1;
    };
    const error = failure(change);
    expect(error.message).toMatch(/cannot name one/);
    expect(error.message).toMatch(/a score that moves none of these, an id or the order/);
    expect(error.message).not.toMatch(/artifact_sha256/);
    expect(error.hint).toMatch(/maps compare/);
    expect(failure(change, true).message).toMatch(/artifact_sha256 holds, so the document was sealed after the change/);
  });

  it('tells a broken rule from a digest that does not fit', () => {
    const size = failure((d) => {
      d.tasks[0]!.selection_size = 4;
    });
    expect(size.hint).toMatch(/keeps this rule/);
    const prompt = failure((d) => {
      d.tasks[1]!.prompt = 'other';
    });
    expect(prompt.hint).toMatch(/fetch it again/);
  });
});

describe.skipIf(noShared)('released task sets', () => {
  const sets = () =>
    readdirSync(shared('data/tasksets'))
      .sort()
      .reverse()
      .map((name) => shared(`data/tasksets/${name}`));

  it('pass in every digest and invariant, also against each other', () => {
    const verified = verifyTaskFiles(sets());
    expect(verified.map(({ released }) => released)).toEqual([true, true]);
    expect(verified.map(({ semanticSha256 }) => semanticSha256.slice(0, 8))).toEqual(['a33bf28d', '925ba9d1']);
    expect(verifyTaskFile(shared('golden/lab/tasks-534.jsonl')).released).toBe(true);
  });

  it('are known even when a forger makes every digest anew', () => {
    const [, path] = sets();
    const document = JSON.parse(readFileSync(path!, 'utf8')) as { tasks: Row[] } & Row;
    document.note = 'forged';
    const forged = join(folder, 'forged.json');
    writeFileSync(forged, pyStored(pySealed(document as Row)));
    expect(() => verifyTaskFile(forged)).toThrow(/released artifact_sha256: expected "925ba9d1/);
  });

  it('reproduce Table 2 over the core', () => {
    const plan = readCorePlan(shared(`data/plan/${readdirSync(shared('data/plan'))[0]}`));
    const table = mapStatistics(coreTasks(plan, readTaskFiles(sets())));
    expect(table.map((row) => row.family)).toEqual(['substitution', 'pairing', 'constraint']);
    expect(table.map((row) => row.tasks)).toEqual([178, 178, 178]);
    expect(table.map((row) => row.chance.toFixed(1))).toEqual(['45.2', '45.0', '3.4']);
    expect(table.map((row) => row.topGap)).toEqual([5.585, 5.605, 37.325]);
    expect(table.map((row) => row.distinct)).toEqual([56, 56, 4]);
  });
});
