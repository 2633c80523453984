import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { collectedWorld, forgedWorld } from '../tests/support/forged-world.js';
import type { Files } from '../tests/support/forger.js';
import type { World } from '../tests/support/release-leaves.js';

/** The releases of a walk by name. */
export const WORLDS: readonly World[] = ['simulated', 'collected'];

/** Makes both releases and writes them below a folder. */
export async function writeWorlds(folder: string): Promise<void> {
  for (const name of WORLDS) {
    const world = await (name === 'simulated' ? forgedWorld() : collectedWorld());
    for (const [file, bytes] of world.files) {
      const path = join(folder, name, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
    }
    await world.close();
  }
}

/** Reads one of them back. */
export function readWorld(folder: string, name: World): Files {
  const root = join(folder, name);
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((item) => item.isFile());
  return new Map(
    files
      .map((item) => join(item.parentPath, item.name))
      .sort()
      .map((path) => [path.slice(root.length + 1), new Uint8Array(readFileSync(path))]),
  );
}
