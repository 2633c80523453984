import { describe, expect, it } from 'vitest';
import { bearerCheck } from '../../src/server/http/bearer.js';
import { openLongWork } from '../../src/server/http/long-work.js';
import { requestRate } from '../../src/server/http/request-rate.js';

describe('the rate of an address', () => {
  it('lets as many through at once as a second holds, then as time allows, each address by itself', () => {
    let now = 0;
    const wait = requestRate(4, () => now);
    expect([1, 2, 3, 4, 5].map(() => wait('a'))).toEqual([0, 0, 0, 0, 1]);
    expect(wait('b')).toBe(0);
    now = 249;
    expect(wait('a')).toBe(1);
    now = 251;
    expect([wait('a'), wait('a')]).toEqual([0, 1]);
    now = 60_000;
    expect([1, 2, 3, 4, 5].map(() => wait('a'))).toEqual([0, 0, 0, 0, 1]);
  });

  it('remembers no more than ten thousand addresses', () => {
    const wait = requestRate(1, () => 0);
    expect([wait('first'), wait('first')]).toEqual([0, 1]);
    for (let i = 0; i < 10_000; i += 1) wait(`other ${i}`);
    expect(wait('first')).toBe(0);
  });
});

it('a token is right as a whole only, whatever the letters of the word before it', () => {
  const isBearer = bearerCheck('0123456789abcdef');
  expect(['Bearer 0123456789abcdef', 'bearer  0123456789abcdef '].map(isBearer)).toEqual([true, true]);
  const wrong = [
    undefined,
    '',
    'Bearer ',
    '0123456789abcdef',
    'Bearer 0123456789abcde',
    'Bearer 0123456789abcdef0',
    'Basic 0123456789abcdef',
  ];
  expect(wrong.map(isBearer)).toEqual(wrong.map(() => false));
});

describe('long work', () => {
  it('is ended at its time limit, and more of it than may wait is told to come later', async () => {
    const work = openLongWork({ files: {}, threads: 1, seconds: 1, waiting: 1 });
    const table = `model,${Array.from({ length: 2000 }, (_, t) => `t${t}`).join()}\n${Array.from(
      { length: 60 },
      (_, m) => `m${m},${Array.from({ length: 2000 }, (_, t) => (t * (m + 3)) % 7).join()}`,
    ).join('\n')}\n`;
    const options = { draws: 1_000_000, flips: 1_000_000 };
    const bytes = Buffer.from(JSON.stringify({ table, options }));
    const codes = await Promise.all(
      [1, 2, 3].map(() =>
        work.run({ op: 'audit', bytes }).then(
          () => 'answered',
          ({ code, message }) => (code === 'WORKER_DIED' ? `${code}: ${message}` : (code as string)),
        ),
      ),
    );
    await work.close();
    expect(codes).toEqual(['TIME_LIMIT', 'TIME_LIMIT', 'SERVER_BUSY']);
  });
});
