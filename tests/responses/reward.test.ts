import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAnswers } from '../../src/responses/answer-file.js';
import { openAnswerKernel } from '../../src/responses/answer-kernel.js';
import { parseSelection } from '../../src/responses/parser.js';
import { parserContract } from '../../src/responses/parser-contract.js';
import { reward, scoreAnswer, trlReward } from '../../src/responses/reward.js';
import { gatherSubmission } from '../../src/responses/submission.js';
import { responseTemplate } from '../../src/responses/template.js';
import { trainingReward } from '../../src/responses/training-reward.js';
import { taskFromRow } from '../../src/tasks/task-row.js';
import type { FlavourError } from '../../src/util/error.js';
import { taskRow } from '../tasks/support.js';

const row = taskRow('a');
const task = taskFromRow(row, { file: 'test' });
const map = row.selection_scores_bps as Record<string, number>;
const names = row.choices as Record<string, string>;

describe('the reward of an answer', () => {
  it('is the score of the selection from 0 to 1, and 0 where there is none', () => {
    expect(reward(task, 'FINAL_SELECTION: h, g, f')).toBe(1);
    expect(reward(task, 'FINAL_SELECTION: oat, rye, corn')).toBe(0.01);
    expect(scoreAnswer(task, 'FINAL_SELECTION: A,B,E')).toEqual({
      outcome: 'ok',
      action: 2,
      key: 'ABE',
      reasoned: false,
      scoreBps: 200,
      reward: 0.02,
    });
    const thought = 'a draft: FINAL_SELECTION: A,B,E\n</think>\nFINAL_SELECTION: F,G,H';
    expect(scoreAnswer(task, thought)).toMatchObject({ outcome: 'ok', reasoned: true, reward: 1 });
    expect(scoreAnswer(task, thought, 'v3')).toMatchObject({ outcome: 'contradictory', reward: 0 });
    expect(trlReward([thought, thought.slice(0, 31)], [map, map], [names, names])).toEqual([1, 0.02]);
    expect(trlReward([thought], [map], [names], 'v3')).toEqual([0]);
    expect(scoreAnswer(task, 'nothing')).toMatchObject({ outcome: 'no_marker', reward: 0 });
  });

  it('is 0 for what is no text, and a map or choices as JSON text are refused', () => {
    const none = [null, undefined, 7, {}, [null], [{ content: [null, { text: 3 }] }]] as never[];
    expect(
      trlReward(
        none,
        none.map(() => map),
        none.map(() => names),
      ),
    ).toEqual([0, 0, 0, 0, 0, 0]);
    const code = (run: () => unknown) => {
      try {
        return run();
      } catch (error) {
        return [(error as FlavourError).code, (error as FlavourError).where?.path, (error as FlavourError).hint];
      }
    };
    const parse = 'It is text: parse it as JSON first.';
    for (const reward of [trlReward, trainingReward]) {
      const map1 = ['SCHEMA_INVALID', 'selection_scores_bps[0]', parse];
      expect(code(() => reward(['x'], [JSON.stringify(map)] as never[], [names]))).toEqual(map1);
      expect(code(() => reward(['x'], [map], [JSON.stringify(names)] as never[]))).toEqual([
        'SCHEMA_INVALID',
        'choices[0]',
        parse,
      ]);
      expect(code(() => reward(['x'], [null] as never[], [names]))).toEqual([
        'SCHEMA_INVALID',
        'selection_scores_bps[0]',
        'Give a map of 56 scores.',
      ]);
    }
  });

  it.each([trlReward, trainingReward])('is refused for columns that are no lists, JSON text among them: %s', (give) => {
    const columns = [['FINAL_SELECTION: A,B,C'], [map], [names]];
    for (const wrong of [null, undefined, 7, 'x', JSON.stringify([map]), {}])
      columns.forEach((_, at) => {
        const call = columns.with(at, wrong as never) as unknown as Parameters<typeof trlReward>;
        expect(() => give(call[0], call[1], call[2])).toThrow(expect.objectContaining({ code: 'USAGE', exit: 2 }));
      });
    const text = JSON.stringify([map]) as never;
    expect(() => give(['x'], text, [names])).toThrow(
      expect.objectContaining({ where: { path: 'selection_scores_bps' } }),
    );
  });

  it('knows no parser but those that are named, in whatever form it is asked', () => {
    const draft = '<think>\nFINAL_SELECTION: A,B,C';
    const refused = expect.objectContaining({ code: 'USAGE', message: expect.stringContaining('v4 or v3 expected') });
    for (const parser of ['v9', 'V4', 4, {}, null] as never[]) {
      expect(() => trlReward([draft], [map], [names], parser)).toThrow(refused);
      expect(() => scoreAnswer(task, draft, parser)).toThrow(refused);
      expect(() => parseSelection(draft, names, { version: parser })).toThrow(refused);
      expect(() => parserContract(parser)).toThrow(refused);
      expect(() => openAnswerKernel([{ id: 't', choices: Object.values(names) }], parser)).toThrow(refused);
    }
  });

  it('is given for batches of texts and of chat messages', () => {
    const completions = [
      'FINAL_SELECTION: F,G,H',
      [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'FINAL_SELECTION: A,B,E' },
      ],
      [
        {
          content: [
            { type: 'text', text: 'FINAL_SELECTION:' },
            { type: 'text', text: ' A,B,F' },
          ],
        },
      ],
      [],
      [{ content: null }],
      'no idea',
    ];
    const each = <T>(value: T) => completions.map(() => value);
    expect(trlReward(completions, each(map), each(names))).toEqual([1, 0.02, 0.03, 0, 0, 0]);
  });

  it('is refused for batches of unequal length and for a map without the score', () => {
    expect(() => trlReward(['a'], [], [names])).toThrow(/selection_scores_bps has 0 entries, completions has 1/);
    expect(() => trlReward(['a'], [map], [])).toThrow(/choices has 0 entries/);
    const text = 'FINAL_SELECTION: A,B,C';
    expect(() => trlReward([text], [{}], [names])).toThrow(/selection_scores_bps\[0\]\.ABC/);
    expect(() => trlReward([text], [{ ABC: 0.5 }], [names])).toThrow(/found 0.5/);
  });

  it('is between 0 and 1 for any completion, without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (noise) => {
        const value = reward(task, `FINAL_SELECTION: ${noise}`);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('needs the choices of a task to read a text', () => {
    expect(() => reward({ ...task, choices: [] }, 'x')).toThrow(/task a has no choices/);
  });
});

describe('the template of a response file', () => {
  it('holds every prompt and no answer that could score', () => {
    const folder = mkdtempSync(join(tmpdir(), 'template-'));
    try {
      const path = join(folder, 't.jsonl');
      writeFileSync(path, responseTemplate([task], 'm'));
      const known = new Map([[task.id, task]]);
      const submission = gatherSubmission({ answers: readAnswers(path), tasks: [task], known });
      expect(submission.unanswered).toMatchObject([{ task: 'a', reason: 'not_text' }]);
      expect(submission.rows[0]).toMatchObject({ task_id: 'a', model: 'm', prompt: task.prompt });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
