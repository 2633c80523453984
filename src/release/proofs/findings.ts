import { FlavourError, shown } from '../../util/error.js';
import { LIMITS } from '../statement.js';
import type { Difference } from './differences.js';
import type { Verification } from './verification.js';

/** Differences kept in full, half of them of one file at most, so that one file does not hide another; the rest are counted. */
const KEPT = 200;

/** Texts as they are, and no longer than a line; everything else as JSON shows it. */
const said = (value: unknown): string => (typeof value === 'string' && value.length <= 200 ? value : shown(value));

/** What a verification looked at and what it found, in the order of looking. */
export class Findings {
  readonly differences: Difference[] = [];
  readonly checked: { what: string; count: number }[] = [];
  /** What was not proved, and why. */
  readonly open: { what: string; count: number; why: string }[] = [];
  readonly notes: string[] = [];
  count = 0;
  /** Differences kept of each file. */
  private readonly keptOf = new Map<string, number>();

  /** Messages of readers name files as they were opened; `root` is cut off, so that a result does not tell where it was made. */
  constructor(
    private readonly root = '',
    private readonly kept = KEPT,
  ) {}

  add(difference: Difference): void {
    this.count += 1;
    const ofFile = (this.keptOf.get(difference.file) ?? 0) + 1;
    if (this.differences.length >= this.kept || ofFile > Math.ceil(this.kept / 2)) return;
    this.keptOf.set(difference.file, ofFile);
    this.differences.push(difference);
  }

  addAll(differences: Iterable<Difference>): void {
    for (const difference of differences) this.add(difference);
  }

  /** Adds a difference unless the two values are the same. */
  same(file: string, at: string, expected: unknown, found: unknown): void {
    if (expected === found) return;
    this.add({ file, at, expected: said(expected), found: said(found) });
  }

  /** Counts what was looked at; the same thing again adds to it. */
  done(what: string, count: number): void {
    const before = this.checked.find((one) => one.what === what);
    if (before === undefined) this.checked.push({ what, count });
    else before.count += count;
  }

  left(what: string, count: number, why: string): void {
    this.open.push({ what, count, why });
  }

  note(text: string): void {
    this.notes.push(text);
  }

  /** Runs a check; what it cannot read is a difference too. Undefined where it failed. */
  attempt<T>(file: string, check: () => T): T | undefined {
    try {
      return check();
    } catch (error) {
      this.failed(file, error);
      return undefined;
    }
  }

  async attemptAsync<T>(file: string, check: () => Promise<T>): Promise<T | undefined> {
    try {
      return await check();
    } catch (error) {
      this.failed(file, error);
      return undefined;
    }
  }

  /** Adds what a check could not read. */
  failed(file: string, error: unknown): void {
    if (!(error instanceof FlavourError)) throw error;
    const { where, message } = error;
    const line = where?.line === undefined ? '' : `line ${where.line}`;
    const at = [line, where?.path ?? ''].filter((part) => part !== '').join(', ');
    const found = this.root === '' ? message : message.replaceAll(this.root, '');
    this.add({ file, at: at || 'its content', expected: '', found });
  }

  /** Closes a verification: what it is of, beside what was looked at and found. */
  verdict(of: Pick<Verification, 'kind' | 'sha256' | 'release_sha256' | 'rules'>): Verification {
    return {
      status: this.count === 0 ? 'PASS' : 'FAIL',
      ...of,
      checked: this.checked,
      not_checked: this.open,
      notes: this.notes,
      cannot_be_verified: LIMITS,
      difference_count: this.count,
      differences: this.differences,
    };
  }
}
