import { RANKED_FAMILIES, type Task } from './task.js';

/** Compiled with the published three, but not ranked. */
const SUPPLEMENTAL = 'cultural_composition';

/** The published three that are there, in their order; in a world that has none of them all families, by first appearance. */
export function rankedFamilies(families: Iterable<string>): string[] {
  const present = new Set(families);
  const ranked = RANKED_FAMILIES.filter((family) => present.has(family));
  return ranked.length > 0 ? ranked : [...present];
}

/** The tasks of the ranked families, in file order: what is ranked where no core says otherwise. */
export function rankedTasks(tasks: readonly Task[]): Task[] {
  const ranked = new Set(rankedFamilies(tasks.map(({ family }) => family)));
  return tasks.filter(({ family }) => ranked.has(family));
}

/** Families that a score must cover: all of a world's own; the published three where a culinary family is there, or none. */
export function requiredFamilies(families: Iterable<string>): string[] {
  const present = rankedFamilies(families);
  return present.length === 0 || isCulinary(present) ? [...RANKED_FAMILIES] : present;
}

/** Whether tasks of these families are about food: a culinary family is among them. */
export function isCulinary(families: Iterable<string>): boolean {
  const culinary = new Set<string>([...RANKED_FAMILIES, SUPPLEMENTAL]);
  return [...families].some((family) => culinary.has(family));
}
