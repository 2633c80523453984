import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { shared } from './shared.js';

const inFolder = (folder: string, part: string) =>
  readdirSync(shared(folder))
    .filter((name) => name.includes(part))
    .map((name) => join(shared(folder), name));

export const RELEASE_JSON = () => inFolder('data/release', 'release-')[0]!;
export const CORE_PLAN = () => inFolder('data/plan', 'plan-')[0]!;
export const MANIFEST = () => inFolder('data/manifest', '.json')[0]!;
/** Panel 1, then panel 2. */
export const TASK_SETS = () => [...inFolder('data/tasksets', 'a33b'), ...inFolder('data/tasksets', '925b')];
