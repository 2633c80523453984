import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { shared } from '../support/shared.js';

/** Where a compared value came from: public inputs, or other published values. */
export type Basis = 'inputs' | 'values';

/**
 * How it was compared: worked out again from inputs or from other values; held against a constant of this program, such as a default or a
 * pinned digest; or held against another published place where the same number stands.
 */
export type How = 'recomputed' | 'constant' | 'document';

interface Comparison {
  readonly basis: Basis;
  readonly how: How;
}

/** The published values by key, and a record of which of them a test has compared, and with what. */
export class PublishedValues {
  readonly compared = new Map<string, Comparison>();
  readonly #values = JSON.parse(readFileSync(shared('published/values.json'), 'utf8')) as Record<string, unknown>;

  keys(): string[] {
    return Object.keys(this.#values);
  }

  /** A published value; the key must exist. */
  at<T = number>(key: string): T {
    if (!(key in this.#values)) throw new Error(`no published value ${key}`);
    return this.#values[key] as T;
  }

  /** Equality. Keys compared on both bases count as following from public inputs. */
  equal(found: unknown, key: string, basis: Basis = 'inputs', how: How = 'recomputed'): void {
    expect(found, key).toEqual(this.at(key));
    this.#mark(key, { basis, how });
  }

  /** Equality with a constant of this program. */
  constant(found: unknown, key: string): void {
    this.equal(found, key, 'inputs', 'constant');
  }

  /** Equality with another published value. */
  same(other: string, key: string): void {
    this.equal(this.at(other), key, 'values', 'document');
  }

  /** Numbers, or lists of them, within a tolerance that is absolute. */
  near(
    found: number | readonly (number | null)[] | null | undefined,
    key: string,
    basis: Basis = 'inputs',
    tolerance = 1e-9,
    how: How = 'recomputed',
  ): void {
    const pair = [found, this.at<number | number[]>(key)].map((x) => (Array.isArray(x) ? x : [x]));
    const [mine, theirs] = pair as [number[], number[]];
    expect(mine.length, key).toBe(theirs.length);
    theirs.forEach((value, i) => {
      expect(Math.abs(mine[i]! - value), `${key}: ${mine[i]} and ${value}`).toBeLessThan(tolerance);
    });
    this.#mark(key, { basis, how });
  }

  #mark(key: string, comparison: Comparison) {
    if (this.compared.get(key)?.basis !== 'inputs') this.compared.set(key, comparison);
  }
}
