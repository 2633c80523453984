import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openWasmMapKernels } from '../../src/engine/wasm/maps.js';
import { readMapFile } from '../../src/tasks/maps-read.js';
import { rescoreMaps } from '../../src/tasks/maps-rescore.js';
import { sharedCheckpoint } from '../support/checkpoint.js';
import { noShared, shared } from '../support/shared.js';

describe.skipIf(noShared)('new maps of the 534 released tasks (released data needed)', () => {
  it('are the Cooc maps of the float32 run but for one basis point in 31 of 29,904 entries', async () => {
    const rescored = rescoreMaps({
      environment: await sharedCheckpoint('cooc'),
      kernels: openWasmMapKernels(),
      rows: [...readMapFile(shared('golden/lab/tasks-534.jsonl')).rows],
    });
    expect(rescored.skipped).toEqual([]);
    expect(rescored.ingredients).toBe(1220);
    const golden = JSON.parse(readFileSync(shared('golden/public_cooc_score_maps.json'), 'utf8')) as Record<
      string,
      Record<string, number>
    >;
    let entries = 0;
    let off = 0;
    for (const { id, keys, scores } of rescored.rows) {
      keys.forEach((key, i) => {
        const difference = Math.abs(scores[i]! - golden[id]![key]!);
        expect(difference).toBeLessThanOrEqual(1);
        entries += 1;
        off += difference;
      });
    }
    expect(rescored.rows).toHaveLength(Object.keys(golden).length);
    expect([off, entries]).toEqual([31, 29_904]);
  });
});
