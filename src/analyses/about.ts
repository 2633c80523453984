import { z } from 'zod';
import type { ScoreMatrix } from '../core/matrix.js';
import { canonicalDigest } from '../io/canonical.js';
import { sha256Text } from '../util/schema.js';
import type { AnswerGrid, CandidatePool } from './candidates.js';
import type { AnalysisInputs, InputName } from './inputs.js';

const digest = sha256Text.nullable();

/** What a document of an analysis is about, by content and not by file; null for what the analysis did not look at. */
export const aboutSchema = z.object({
  models: z.array(z.string()).readonly().describe('Ids of the models, sorted.'),
  matrix_sha256: digest.describe('Of models, tasks with their labels, and values.'),
  inference_sha256: digest.describe('Of the results of inference.json that were read.'),
  core_sha256: digest.describe('`artifact_sha256` of the core plan.'),
  answers_sha256: digest.describe('Of the selections on the tasks of the matrix.'),
  candidates_sha256: digest.describe('Of validity and points of every candidate cell.'),
});
export type About = Readonly<z.infer<typeof aboutSchema>>;

/** The digests of what analyses look at. */
export type AboutDigest = Exclude<keyof About, 'models'>;

const ascending = (names: readonly string[]) =>
  names.map((name, at) => ({ name, at })).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

function greatestDivisor(a: number, b: number): number {
  let [large, small] = [Math.abs(a), Math.abs(b)];
  while (small > 0) [large, small] = [small, large % small];
  return large;
}

/**
 * Forms the digest of a score matrix, the same in any order of models and tasks and at any scale: labels, and values in lowest terms with the
 * scale.
 */
export function matrixDigest(matrix: ScoreMatrix): string {
  const rows = ascending(matrix.models);
  const columns = ascending(matrix.tasks);
  let unit = matrix.scale;
  for (const value of matrix.values) {
    if (unit === 1) break;
    unit = greatestDivisor(unit, value);
  }
  return canonicalDigest({
    scale: matrix.scale / unit,
    models: rows.map(({ name }) => name),
    tasks: columns.map(({ name, at }) => [name, matrix.panels[at], matrix.families[at], matrix.clusters[at]]),
    values: rows.map(({ at: m }) => columns.map(({ at: t }) => matrix.values[m * columns.length + t]! / unit)),
  });
}

/** Forms the digest of what models chose on some tasks, the same in any order. */
export function answersDigest({
  models,
  tasks,
  actions,
}: Omit<AnswerGrid, 'tasks'> & { readonly tasks: readonly { readonly id: string }[] }): string {
  const rows = ascending(models);
  const columns = ascending(tasks.map(({ id }) => id));
  return canonicalDigest({
    models: rows.map(({ name }) => name),
    tasks: columns.map(({ name }) => name),
    actions: rows.map(({ at: m }) => columns.map(({ at: t }) => actions[m * columns.length + t])),
  });
}

/** Forms the digest of the cells that a core is selected from, the same in any order; scores count where a cell is valid. */
export function candidatesDigest({ models, tasks, valid, scores }: CandidatePool): string {
  const rows = ascending(models);
  const columns = ascending(tasks.map(({ id }) => id));
  const cell = (at: number) => (valid[at] === 1 ? scores[at] : null);
  return canonicalDigest({
    models: rows.map(({ name }) => name),
    tasks: columns.map(({ name, at }) => [name, tasks[at]!.panel, tasks[at]!.family]),
    cells: rows.map(({ at: m }) => columns.map(({ at: t }) => cell(m * columns.length + t))),
  });
}

/** Inputs that tell afterwards what was looked at. */
export interface FollowedInputs {
  readonly inputs: AnalysisInputs;
  /** To be asked after the analysis has run. */
  about(): Promise<About>;
}

/** Passes inputs through and notes which of them an analysis asks for. */
export function followInputs(inputs: AnalysisInputs): FollowedInputs {
  const asked = new Map<InputName, unknown>();
  const follow =
    <A extends readonly unknown[], T>(name: InputName, open: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> => {
      const opened = open(...args);
      asked.set(name, opened);
      return opened;
    };
  const lookedAt = async <N extends InputName>(name: N) =>
    ((await asked.get(name)) ?? null) as Awaited<ReturnType<AnalysisInputs[N]>> | null;
  return {
    inputs: {
      ...inputs,
      matrix: follow('matrix', inputs.matrix),
      audited: follow('audited', inputs.audited),
      familyMeans: follow('familyMeans', inputs.familyMeans),
      resolved: follow('resolved', inputs.resolved),
      answers: follow('answers', inputs.answers),
      candidates: follow('candidates', inputs.candidates),
      core: follow('core', inputs.core),
    },
    async about() {
      const means = await lookedAt('familyMeans');
      const cells = means?.stated ? null : means?.matrix;
      const matrix = (await lookedAt('matrix')) ?? (await lookedAt('audited'))?.matrix ?? cells ?? null;
      const answers = await lookedAt('answers');
      const candidates = await lookedAt('candidates');
      const core = await lookedAt('core');
      const models = new Set([matrix, means?.matrix, answers, candidates].flatMap((part) => part?.models ?? []));
      return {
        models: [...models].sort(),
        matrix_sha256: matrix && matrixDigest(matrix),
        inference_sha256: asked.has('resolved') || means?.stated ? (inputs.inferenceSha256?.() ?? null) : null,
        core_sha256: core?.artifactSha256 ?? null,
        answers_sha256: answers && answersDigest(answers),
        candidates_sha256: candidates && candidatesDigest(candidates),
      };
    },
  };
}

/** The digest by which an analysis is bound to each input that it needs. */
const BINDING: Readonly<Partial<Record<InputName, AboutDigest>>> = {
  matrix: 'matrix_sha256',
  audited: 'matrix_sha256',
  familyMeans: 'matrix_sha256',
  answers: 'answers_sha256',
  candidates: 'candidates_sha256',
  core: 'core_sha256',
};

/** Gives the digests that documents of an analysis with these needs must state; none where it is about no leaderboard. */
export function boundBy(needs: readonly InputName[]): readonly AboutDigest[] {
  return needs.flatMap((name) => BINDING[name] ?? []);
}

/** What a leaderboard has of the things that analyses look at; absent where it is not at hand. */
export type Subject = {
  readonly models: readonly string[];
  /** Name of the parser of its answers. */
  readonly parser?: string;
} & {
  readonly [name in AboutDigest]?: () => string | null;
};

/** A place where a document is about something else. */
interface AboutDifference {
  readonly at: string;
  readonly expected: string;
  readonly found: string;
}

/** Lists where a document is about other models, or looked at something else, than a leaderboard has. */
export function aboutDifferences(about: About, subject: Subject, needs: readonly InputName[]): AboutDifference[] {
  const required = new Set(boundBy(needs));
  const found: AboutDifference[] = [];
  const own = [...subject.models].sort().join(', ');
  const named = about.models.join(', ');
  if (required.size > 0 && named !== own && (named !== '' || required.has('matrix_sha256')))
    found.push({ at: 'about.models', expected: own, found: named });
  for (const name of Object.keys(aboutSchema.shape) as (keyof About)[]) {
    if (name === 'models') continue;
    const stated = about[name];
    const computed = subject[name];
    if (computed === undefined || (stated === null && !required.has(name))) continue;
    // Of a leaderboard that a document states, the digest of its results stands for the matrix.
    if (name === 'matrix_sha256' && stated === null && needs.includes('familyMeans') && about.inference_sha256 !== null)
      continue;
    const expected = computed() ?? 'none';
    if (stated !== expected) found.push({ at: `about.${name}`, expected, found: stated ?? 'none' });
  }
  return found;
}
