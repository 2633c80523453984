import { fail } from '../util/error.js';

/**
 * Reads fixtures/leaderboard-content.txt in Node. A page has its text inside: bundle/page.js puts it in this place.
 *
 * Errors: INPUT_NOT_FOUND in a page that runs from the modules themselves.
 */
export function readLeaderboardContent(): string {
  const place = '../../fixtures/leaderboard-content.txt';
  const fs = globalThis.process?.getBuiltinModule?.('node:fs');
  return (
    fs?.readFileSync(new URL(place, import.meta.url), 'utf8') ??
    fail(
      'INPUT_NOT_FOUND',
      { file: 'fixtures/leaderboard-content.txt' },
      'cannot be read in a page',
      'Import flavourbench/responses with the condition `browser`, which holds it.',
    )
  );
}
