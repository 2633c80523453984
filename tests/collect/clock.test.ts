import { describe, expect, it } from 'vitest';
import { makeClock } from '../../src/collect/clock.js';
import { makeGate, makePace } from '../../src/collect/throttle.js';

const real = makeClock({ now: Date.now, ticks: () => performance.now() });

/** Warnings of the process while `work` runs. */
async function warningsOf(work: () => Promise<unknown>): Promise<string[]> {
  const heard: string[] = [];
  const listener = (warning: Error) => heard.push(warning.message);
  process.on('warning', listener);
  try {
    await work();
    await new Promise((next) => setTimeout(next, 5));
  } finally {
    process.off('warning', listener);
  }
  return heard;
}

describe('the clock of a run', () => {
  it('waits for a time that no timer of the system can hold, and warns of nothing', async () => {
    const stop = new AbortController();
    let over = false;
    const heard = await warningsOf(async () => {
      const wait = real.sleep(1e12 * 1000, stop.signal).then(() => {
        over = true;
      });
      await real.sleep(30);
      expect(over).toBe(false);
      stop.abort();
      await wait;
    });
    expect(over).toBe(true);
    expect(heard).toEqual([]);
  });

  it('lets two hundred waits hang on one stop without a warning', async () => {
    const stop = new AbortController();
    const gate = makeGate(real);
    gate.parkFor(1e9);
    const heard = await warningsOf(async () => {
      const waits = Array.from({ length: 200 }, (_, i) =>
        i % 2 === 0 ? gate.open(stop.signal) : real.sleep(1e9, stop.signal),
      );
      await real.sleep(5);
      stop.abort();
      await Promise.all(waits);
    });
    expect(heard).toEqual([]);
  });

  it('that is set back an hour or a year stalls neither a parked route nor a pace', async () => {
    let wall = Date.now();
    const clock = makeClock({ now: () => wall, ticks: () => performance.now() });
    const gate = makeGate(clock);
    const pace = makePace({ intervalMs: 20, clock });
    const { signal } = new AbortController();
    await pace.wait(signal);
    gate.parkFor(20);
    wall -= 365 * 86_400_000;
    const begun = performance.now();
    expect(await gate.open(signal)).toBe(true);
    await pace.wait(signal);
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(performance.now() - begun).toBeGreaterThan(15);
  });
});
