import type { CellBinding } from './cell.js';
import type { RecordDraft } from './record.js';

/** An answer from elsewhere, bound to a cell of ours. */
export interface ImportedCell {
  readonly binding: CellBinding;
  /** Text to parse; null for a failed answer. */
  readonly answer: string | null;
  readonly choices: readonly string[];
  readonly draft: Omit<RecordDraft, 'attempt_event_sha256s' | 'supersedes' | 'origin' | 'parse'>;
}
