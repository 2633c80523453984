import type { JsonObject } from '../../io/json.js';
import { publishedView } from '../../published/published-view.js';
import { counted } from '../../util/format.js';
import { plain } from '../../util/text.js';
import type { HeldFile } from './held-file.js';
import type { Opened } from './opened.js';
import { statedOf } from './release-source.js';

/** Opens the published document. Errors: those of `publishedView`. */
export function openPublished(file: HeldFile, document: JsonObject): Opened {
  const view = publishedView(document, file.name);
  const { leaderboard } = view;
  return {
    kind: 'published',
    name: plain(view.benchmark),
    reading: `${plain(view.track)}. Read from the published document: ${counted(leaderboard.models.length, 'model')}, ${counted(leaderboard.tasks, 'task')}, as it states them.`,
    warnings: [
      'the document holds no scores of single tasks: what asks for them cannot be shown, and nothing be computed anew',
    ],
    files: [file],
    matrix: null,
    stated: statedOf(view),
    release: view,
    analyses: [],
    answers: null,
    ledger: null,
    digests: async () => [['Published document, as it states it', view.digest]],
    inventory: null,
  };
}
