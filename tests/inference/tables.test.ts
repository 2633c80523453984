import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { leaderboardCsv, pairwiseCsv } from '../../src/inference/columns.js';
import { readLeaderboard } from '../../src/inference/read-leaderboard.js';
import { sha256 } from '../../src/io/digest.js';
import { noShared, shared } from '../support/shared.js';

describe.skipIf(noShared)('released tables', () => {
  it('follow byte for byte from the leaderboard that the released document states', () => {
    const file = readdirSync(shared('data/release')).find((name) => name.endsWith('.json'))!;
    const { analysis } = JSON.parse(readFileSync(shared(`data/release/${file}`), 'utf8'));
    const leaderboard = readLeaderboard(analysis, { file });
    expect(sha256(leaderboardCsv(leaderboard))).toMatch(/^fd751b51bfb4819a/);
    expect(sha256(pairwiseCsv(leaderboard))).toMatch(/^510c784aa04b2a14/);
  });
});
