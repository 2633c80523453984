import { describe, expect, it } from 'vitest';
import { ownBuffers } from '../../src/engine/workers/message.js';

describe('buffers of a reply of a worker', () => {
  it('are handed over once each, and those of shared memory never', () => {
    const own = new Uint32Array(8);
    const shared = new Uint32Array(new SharedArrayBuffer(32));
    const levels = new Uint32Array(own.buffer, 0, 4);
    expect(ownBuffers({ result: { pairs: own, rows: shared, levels } })).toEqual([own.buffer]);
    expect(ownBuffers({ result: { redraws: 3, rankCells: own, sums: 0 } })).toEqual([own.buffer]);
  });

  it('are none of an error, and of a job without a result', () => {
    expect(ownBuffers({ error: { code: 'ABORTED', message: 'stopped' } })).toEqual([]);
    expect(ownBuffers({ result: undefined })).toEqual([]);
  });
});
