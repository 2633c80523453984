import { canonicalJson } from '../io/canonical.js';
import { joinedKey } from '../util/joined.js';
import type { ReadFile } from './runs.js';

/**
 * Tells evaluations apart that have one name: where a model was run on one evaluation with different arguments, such as another part of
 * the data, those that differ become a part of the evaluation's name, for all models (reading 2.1). Where no model was, arguments say
 * nothing: two models may have been given other ones that do not matter.
 */
export function evaluationsByArguments(files: readonly ReadFile[]): readonly ReadFile[] {
  const groups = new Map<string, ReadFile[]>();
  for (const file of files) {
    const family = file.read.cells[0]?.family;
    if (family === undefined || file.read.run?.args === undefined) continue;
    const key = joinedKey(file.format.name, family);
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  const suffixes = new Map<ReadFile, string>();
  for (const group of groups.values()) {
    if (!group.some((file) => isTwice(file, group))) continue;
    const differing = differingKeys(group.map(({ read }) => read.run!.args!));
    for (const file of group) suffixes.set(file, argumentText(file.read.run!.args!, differing));
  }
  return files.map((file) => {
    const suffix = suffixes.get(file);
    if (suffix === undefined) return file;
    const cells = file.read.cells.map((cell) => ({ ...cell, family: `${cell.family}(${suffix})` }));
    return { ...file, read: { ...file.read, cells } };
  });
}

type Arguments = Readonly<Record<string, unknown>>;

/** Whether the model of a file has another run of the group with other arguments. */
function isTwice({ read }: ReadFile, group: readonly ReadFile[]): boolean {
  const model = read.cells[0]!.model;
  const own = canonicalJson(read.run!.args);
  return group.some((other) => other.read.cells[0]!.model === model && canonicalJson(other.read.run!.args) !== own);
}

function differingKeys(all: readonly Arguments[]): string[] {
  const keys = [...new Set(all.flatMap((args) => Object.keys(args)))].sort();
  return keys.filter((key) => new Set(all.map((args) => canonicalJson(args[key] ?? null))).size > 1);
}

function argumentText(args: Arguments, keys: readonly string[]): string {
  const text = (value: unknown) => (typeof value === 'string' ? value : canonicalJson(value ?? null));
  return keys.map((key) => `${key}=${text(args[key])}`).join(',');
}
