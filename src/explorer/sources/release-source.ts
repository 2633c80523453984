import { analysisOfSchema } from '../../analyses/list.js';
import { byRank, modelName, simulatedModels } from '../../release/names.js';
import { readRelease } from '../../release/open/read-release.js';
import { AS_BUILT, RELEASE_FILES } from '../../release/release-files.js';
import type { ReleaseView } from '../../release/view.js';
import { FlavourError, fail } from '../../util/error.js';
import { counted } from '../../util/format.js';
import { plain } from '../../util/text.js';
import { type AnswerBook, columnBook } from './answer-book.js';
import type { HeldFile } from './held-file.js';
import type { Opened, OpenedAnalysis, Stated } from './opened.js';
import { statedInference } from './stated-inference.js';

/** Opens the files of a release, by their names in it; one that cannot be shown has its files alone. */
export async function openRelease(place: string, inventory: ReadonlyMap<string, HeldFile>): Promise<Opened> {
  try {
    return await shownRelease(place, inventory);
  } catch (error) {
    if (!(error instanceof FlavourError)) throw error;
    return damagedRelease(place, inventory, error);
  }
}

/** A release that cannot be shown can be verified all the same, which says what is wrong with it. */
function damagedRelease(place: string, inventory: ReadonlyMap<string, HeldFile>, broken: FlavourError): Opened {
  return {
    kind: 'release',
    name: plain(place),
    reading: `A release that cannot be shown: ${plain(broken.message)}`,
    warnings: [],
    files: [...inventory.values()],
    matrix: null,
    stated: null,
    release: null,
    analyses: [],
    answers: null,
    ledger: null,
    digests: async () => [],
    broken,
    inventory,
  };
}

async function shownRelease(place: string, inventory: ReadonlyMap<string, HeldFile>): Promise<Opened> {
  const view = await readRelease({
    place,
    names: [...inventory.keys()].sort(),
    bytes: (name) => inventory.get(name)!.bytes(),
  });
  const { digest, address, matrix, leaderboard } = view;
  if (matrix!.models.some((id, m) => leaderboard.models[m]?.modelId !== id))
    fail('SCHEMA_INVALID', { file: place }, 'inference.json is about other models than matrix.arrow', AS_BUILT);
  return {
    kind: 'release',
    name: plain(view.benchmark),
    reading: `${plain(view.track)}. Read from a release: ${counted(leaderboard.models.length, 'model')}, ${counted(leaderboard.tasks, 'task')}, as its files state it.`,
    warnings: [],
    files: [...inventory.values()],
    matrix,
    stated: statedOf(view),
    release: view,
    analyses: analysesOf(view),
    answers: answersIn(place, inventory),
    ledger: null,
    scorable: {
      tasks: [...inventory].flatMap(([name, file]) => (name.startsWith('tasks/') ? [file] : [])),
      core: inventory.get(RELEASE_FILES.core) ?? null,
    },
    digests: async () => [
      ...(address === null ? [] : [['Address of the release, that of every file (MANIFEST.json)', address] as const]),
      ['Its numbers (release.json)', digest],
    ],
    inventory,
  };
}

/** What a release, or the published document, states. */
export function statedOf(view: ReleaseView): Stated {
  const { leaderboard, plan, matrix } = view;
  const named = new Map(byRank(leaderboard.models).map((model) => [model.modelId, plain(modelName(view, model))]));
  const simulated = simulatedModels(view);
  // Where all are formulas the page says it once.
  const marked = simulated.size < leaderboard.models.length ? simulated : new Set<string>();
  const name = (id: string) => `${named.get(id) ?? id}${marked.has(id) ? ' (simulated)' : ''}`;
  return { plan, inference: statedInference({ leaderboard, plan, matrix, warnings: [], name }) };
}

/** The documents of analyses that a release holds. */
export function analysesOf({ analyses }: ReleaseView): OpenedAnalysis[] {
  return [...analyses].map(([name, document]) => ({
    name,
    file: `analyses/${name}.json`,
    analysis: analysisOfSchema(document.schema) ?? null,
    document,
  }));
}

function answersIn(place: string, inventory: ReadonlyMap<string, HeldFile>): Opened['answers'] {
  const file = inventory.get(RELEASE_FILES.observationsArrow);
  if (!file) return null;
  let book: Promise<AnswerBook> | undefined;
  return () => {
    book ??= file.bytes().then((bytes) => columnBook(bytes, `${place}/${RELEASE_FILES.observationsArrow}`));
    return book;
  };
}
