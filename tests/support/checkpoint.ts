import type { Environment } from '../../src/environment/environment.js';
import { loadEnvironment } from '../../src/environment/load.js';
import { recognise } from '../../src/environment/recognise.js';
import { shared } from './shared.js';

/** A public checkpoint with the frozen tag table. */
export function sharedCheckpoint(name: 'cooc' | 'core'): Promise<Environment> {
  const given = { tags: shared('data/bundle/ingredient_tags.csv') };
  return loadEnvironment({
    name,
    ...recognise({ folder: shared(`data/checkpoints/${name}`), given }),
  });
}
