import { readFileSync } from 'node:fs';

/** The package's own version, as every document we write states it. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  }
).version;
