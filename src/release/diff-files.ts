import { sha256 } from '../io/digest.js';
import { checkManifest, type Inventory, readInventory } from './inventory.js';
import type { Difference } from './proofs/differences.js';
import { Findings } from './proofs/findings.js';
import type { ReleaseView } from './release.js';

/** A folder as it lies there, held against its own manifest; nothing else of it is proved. */
export interface FolderFiles {
  readonly files: Inventory;
  /** How many files or entries are not as MANIFEST.json lists them; the first, at most 200. */
  readonly difference_count: number;
  readonly differences: readonly Difference[];
}

/** Null for a published release, whose files are not read here. */
export function folderFiles(view: ReleaseView, dir: string): FolderFiles | null {
  if (view.kind !== 'folder') return null;
  const findings = new Findings(`${dir}/`);
  const files = readInventory(dir, findings);
  checkManifest(files, new Map(), findings);
  return { files, difference_count: findings.count, differences: findings.differences };
}

export interface FileChanges {
  readonly same: number;
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Which files of two folders have other bytes. */
export function fileChanges(first: Inventory, second: Inventory): FileChanges {
  const kept = [...second].flatMap(([name, bytes]) => {
    const before = first.get(name);
    return before ? [{ name, same: sha256(before) === sha256(bytes) }] : [];
  });
  return {
    same: kept.filter(({ same }) => same).length,
    changed: kept.filter(({ same }) => !same).map(({ name }) => name),
    added: [...second.keys()].filter((name) => !first.has(name)),
    removed: [...first.keys()].filter((name) => !second.has(name)),
  };
}
