import type { FamilyRule } from './family-rule.js';

/** Labels of the eight candidates, in order. */
export const LABELS = 'ABCDEFGH';

/** The 56 portfolio keys of 3 of 8, lexicographic: ABC, ABD, ... FGH. The index in this list is the action's number. */
export const PORTFOLIOS: readonly string[] = (() => {
  const keys: string[] = [];
  for (let a = 0; a < 8; a += 1)
    for (let b = a + 1; b < 8; b += 1)
      for (let c = b + 1; c < 8; c += 1) keys.push(LABELS.charAt(a) + LABELS.charAt(b) + LABELS.charAt(c));
  return keys;
})();

/** Action number of a portfolio key; undefined for anything that is not one. */
export const PORTFOLIO_INDEX: ReadonlyMap<string, number> = new Map(PORTFOLIOS.map((key, i) => [key, i]));

/** The three ranked families, in the order of every published table. */
export const RANKED_FAMILIES = ['substitution', 'pairing', 'constraint'] as const;

/** One selection task as the inside of this project sees it. */
export interface Task {
  readonly id: string;
  readonly family: string;
  /** The row's own field, else by the replication index of its document, else `panel_1` (collection 2.1). */
  readonly panel: string;
  readonly anchor: string;
  /** Unit that is resampled: the row's own `cluster_id`, else the anchor. */
  readonly cluster: string;
  /** Difficulty stratum 1..4; 0 where the source has none. */
  readonly stratum: number;
  readonly category: string;
  readonly prompt: string;
  /** Candidate names with underscores, in label order A..H. Empty where the source row has none. */
  readonly choices: readonly string[];
  /** 56 scores in basis points, 0..10000, in PORTFOLIOS order. */
  readonly scores: Uint16Array;
  /** Action number of the unique optimum. */
  readonly optimal: number;
  /** Rounded mean of the 56 scores, basis points. */
  readonly chance: number;
  /** Best minus second best, basis points. */
  readonly margin: number;
}

/** A set of tasks and the identity of the file it came from. */
export interface TaskSet {
  readonly tasks: readonly Task[];
  readonly panel: string;
  /** Digest of the file bytes. */
  readonly physicalSha256: string;
  /** `artifact_sha256` of the document; absent for plain task rows. */
  readonly artifactSha256?: string;
  /** Digest over ids, prompts, references and maps; absent for plain task rows. */
  readonly taskSetSha256?: string;
  /** How each family is scored, as the file states it. */
  readonly rules: ReadonlyMap<string, FamilyRule>;
  /** Digest of the environment or world that scored the tasks, where the document states it. */
  readonly environmentSha256?: string;
}

/** Compiled with the published three, but not ranked. */
const SUPPLEMENTAL = 'cultural_composition';

/** Lists the ranked families: the published three that are there, in their order; in a world that has none of them all families, by first appearance. */
export function rankedFamilies(families: Iterable<string>): string[] {
  const present = new Set(families);
  const ranked = RANKED_FAMILIES.filter((family) => present.has(family));
  return ranked.length > 0 ? ranked : [...present];
}

/** Lists the tasks of the ranked families, in file order: what is ranked where no core says otherwise. */
export function rankedTasks(tasks: readonly Task[]): Task[] {
  const ranked = new Set(rankedFamilies(tasks.map(({ family }) => family)));
  return tasks.filter(({ family }) => ranked.has(family));
}

/** Lists the families that a score must cover: all of a world's own; the published three where a culinary family is there, or none. */
export function requiredFamilies(families: Iterable<string>): string[] {
  const present = rankedFamilies(families);
  return present.length === 0 || isCulinary(present) ? [...RANKED_FAMILIES] : present;
}

/** Says whether tasks of these families are about food: a culinary family is among them. */
export function isCulinary(families: Iterable<string>): boolean {
  const culinary = new Set<string>([...RANKED_FAMILIES, SUPPLEMENTAL]);
  return [...families].some((family) => culinary.has(family));
}
