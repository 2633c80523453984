import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  binomial,
  boundedInteger,
  choice,
  conditionalProbabilities,
  integers,
  multinomial,
  pcg64,
  signBits,
} from '../../src/engine/index.js';
import { pcg64State, seedState, seedWords } from '../../src/engine/pcg64.js';
import { noShared, shared } from '../support/shared.js';

// biome-ignore lint/suspicious/noExplicitAny: golden documents are read as they are
const golden = (name: string): any => JSON.parse(readFileSync(shared(`golden/streams/${name}`), 'utf8'));
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.skipIf(noShared)('NumPy streams, digit for digit', () => {
  const streams = noShared ? {} : golden('numpy_streams.json');

  it.each(Object.keys(streams.pcg64 ?? {}))('give the state and the words of PCG64 for seed %s', (seed) => {
    const expected = streams.pcg64[seed];
    expect([...seedState(BigInt(seed))]).toEqual(expected.seedsequence_pool_u32);
    expect(seedWords(BigInt(seed)).map(String)).toEqual(expected.seedsequence_generate_state_4_u64);
    const { state, increment } = pcg64State(BigInt(seed));
    expect([String(state), String(increment)]).toEqual([expected.initial_state, expected.inc]);
    const words = pcg64(BigInt(seed));
    const outputs = expected.next_uint64_first20.map(() => {
      const [high, low] = words.next();
      return String((BigInt(high!) << 32n) | BigInt(low!));
    });
    expect(outputs).toEqual(expected.next_uint64_first20);
    const halves = pcg64(BigInt(seed));
    expect(expected.next_uint32_first8.map(() => halves.nextUint32())).toEqual(expected.next_uint32_first8);
    const doubles = pcg64(BigInt(seed));
    expect(expected.random_double_first5_repr.map(() => String(doubles.nextDouble()))).toEqual(
      expected.random_double_first5_repr,
    );
  });

  it('give sign bits, with the spare half but not the spare bytes kept between calls', () => {
    for (const [seed, bits] of Object.entries(streams.integers_0_2_int8))
      expect([...signBits(pcg64(BigInt(seed)), 64)]).toEqual(bits);
    const source = pcg64(5n);
    for (const head of streams['integers_0_2_int8_three_calls_of_(5,147)_seed5'])
      expect([...signBits(source, 735).subarray(0, 16)]).toEqual(head);
  });

  it('give multinomials and binomials', () => {
    for (const [d, rows] of [
      [12, 5],
      [534, 2],
    ] as const)
      for (const [seed, expected] of Object.entries(streams[`multinomial_${d}_uniform_size${rows}`]))
        expect([...multinomial(pcg64(BigInt(seed)), d, d, rows)]).toEqual((expected as number[][]).flat());
    const cases = streams.binomial_inversion;
    for (const [seed, expected] of Object.entries(cases['n=534,p=1/534,size=20'])) {
      const source = pcg64(BigInt(seed));
      expect((expected as number[]).map(() => binomial(source, 534, 1 / 534))).toEqual(expected);
    }
    for (const [seed, expected] of Object.entries(cases['n=40,p=0.7,size=20'])) {
      const source = pcg64(BigInt(seed));
      expect((expected as number[]).map(() => binomial(source, 40, 0.7))).toEqual(expected);
    }
  });

  it('follow the rounding path of the conditional probabilities', () => {
    const path = conditionalProbabilities(534);
    const expected = streams.multinomial_534_probability_path;
    for (const [j, text] of Object.entries(expected.p_j_repr)) expect(path[Number(j)]).toBe(Number(text));
    expect(path.findIndex((p) => p > 0.5)).toBe(expected.first_j_with_p_gt_half);
    for (const [d, last] of Object.entries(streams.last_p_by_cluster_count))
      expect(conditionalProbabilities(Number(d)).at(-1)).toBe(Number((last as { p_last_repr: string }).p_last_repr));
  });

  it('give bounded integers and choices without replacement', () => {
    const { highs, draws } = streams.integers_int64_scalar_calls_seed3;
    const source = pcg64(3n);
    expect(highs.map((n: number) => boundedInteger(source, n))).toEqual(draws);
    for (const { seed, calls } of golden('choice_streams.json').cases) {
      const generator = pcg64(BigInt(seed));
      for (const { n, k, values } of calls) expect([...choice(generator, n, k)]).toEqual(values);
    }
  });

  it('give every draw of the transfer study', () => {
    const transfer = golden('transfer_streams.json');
    const source = pcg64(BigInt(transfer.bootstrap.rng_seed));
    const seeds: Int32Array[] = [];
    const tasks: Int32Array[] = [];
    for (let chunk = 0; chunk < 50; chunk++) {
      seeds.push(integers(source, 3, 3000));
      for (let s = 0; s < 6; s++) tasks.push(integers(source, 14, 14_000));
    }
    const bytes = (parts: Int32Array[]) => Buffer.concat(parts.map((part) => Uint8Array.from(part)));
    expect(sha(bytes(seeds))).toBe(transfer.bootstrap.all_seed_draws_sha256_u8);
    expect(sha(bytes(tasks))).toBe(transfer.bootstrap.all_task_draws_sha256_u8_in_call_order);
    const flips = pcg64(BigInt(transfer.sign_flip.rng_seed));
    const bits = Array.from({ length: 50 }, () => signBits(flips, 2000 * 84));
    expect(sha(Buffer.concat(bits))).toBe(transfer.sign_flip.all_bits_sha256_u8);
  });

  it('stop at a binomial that NumPy would hand to another algorithm (BTPE)', () => {
    expect(() => binomial(pcg64(1n), 1000, 0.4)).toThrow(/BTPE/);
  });
});
