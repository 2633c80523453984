import { protocolBoundBy } from '../collect/asked.js';
import { type AnswerPlace, assertSamePrompt, type StatedKey } from '../responses/answer.js';
import type { StatedAsking } from '../responses/submission.js';
import type { Task } from '../tasks/task.js';
import { assertOnePrompt, assertOneProtocol, type ComparableCell } from './comparable.js';
import { assertOneDecoding, decodingReader } from './decoding.js';

/** Gathers what rows of answers say of how they were asked, and refuses to compare what was asked in different ways. */
export interface StatedCells {
  /** Takes what a row says; a row that says nothing stands beside any other. */
  note(model: string, task: Pick<Task, 'id' | 'prompt'>, key: StatedKey | undefined, place: AnswerPlace): void;
  /** Errors: those of `assertComparable`, over the models that stay; DIGEST_MISMATCH for an answer to another wording than that of its task. */
  check(leftOut?: readonly string[]): void;
}

/**
 * Opens an empty gathering. Of a record only digests are at hand: a protocol is known by the digest of a key without an extra body; an extra body
 * hides it, and such rows are held to decoding and prompt alone.
 */
export function statedCells(): StatedCells {
  const cells = new Map<string, Map<string, ComparableCell>>();
  const reworded = new Map<string, unknown>();
  const drawnWith = decodingReader();
  return {
    note(model, task, key, place) {
      if (key === undefined) return;
      try {
        assertSamePrompt(key, task, place);
      } catch (error) {
        if (!reworded.has(model)) reworded.set(model, error);
      }
      const protocol = protocolBoundBy(key.protocol_sha256);
      const row = cells.get(model) ?? new Map<string, ComparableCell>();
      cells.set(
        model,
        row.set(task.id, {
          asked: protocol === undefined ? null : { protocol },
          decoding: drawnWith(key, undefined),
          prompt: key.prompt_sha256,
        }),
      );
    },
    check(leftOut = []) {
      const kept = new Map([...cells].filter(([model]) => !leftOut.includes(model)));
      for (const [model, error] of reworded) if (kept.has(model)) throw error;
      const known = new Map(
        [...kept].map(([model, row]) => [model, new Map([...row].filter(([, cell]) => cell.asked))]),
      );
      assertOneProtocol(known);
      assertOneDecoding(kept);
      assertOnePrompt(kept);
    },
  };
}

/**
 * Refuses to compare sets of answers that say that they were asked in different ways. Their prompts are bound by the tasks. Errors: PROTOCOL_MIXED,
 * DECODING_MIXED.
 */
export function assertAskedAlike(
  sets: readonly { readonly name: string; readonly asked: readonly StatedAsking[] }[],
): void {
  const stated = statedCells();
  for (const { name, asked } of sets)
    asked.forEach((key, i) => {
      stated.note(name, { id: `${i}`, prompt: '' }, { ...key, prompt_sha256: '' }, { file: name });
    });
  stated.check();
}
