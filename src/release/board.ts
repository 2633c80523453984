import { failure, shown } from '../util/error.js';

export type Json = Readonly<Record<string, unknown>>;
export type Range = readonly [number, number];

/** A field that is not what a release must hold. */
export function fieldError(file: string, path: string, expected: string, found: unknown) {
  return failure(
    'SCHEMA_INVALID',
    { file, path },
    `${expected} expected, found ${shown(found)}`,
    'Give a release as it was built.',
  );
}

/** Typed look-ups in an untrusted document; every failure names the field. */
export class Fields {
  constructor(
    readonly file: string,
    readonly path: string,
    readonly value: Json,
  ) {}

  private fail(key: string, expected: string): never {
    throw fieldError(this.file, this.at(key), expected, this.value[key]);
  }

  at(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }

  object(key: string): Fields {
    const value = this.value[key];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail(key, 'an object');
    return new Fields(this.file, this.at(key), value as Json);
  }

  optional(key: string): Fields | null {
    return this.value[key] === null || this.value[key] === undefined ? null : this.object(key);
  }

  objects(key: string): Fields[] {
    const value = this.value[key];
    if (!Array.isArray(value)) this.fail(key, 'a list');
    return (value as unknown[]).map((item, i) => {
      if (typeof item !== 'object' || item === null || Array.isArray(item))
        throw fieldError(this.file, `${this.at(key)}[${i}]`, 'an object', item);
      return new Fields(this.file, `${this.at(key)}[${i}]`, item as Json);
    });
  }

  text(key: string): string {
    const value = this.value[key];
    return typeof value === 'string' ? value : this.fail(key, 'a text');
  }

  number(key: string): number {
    const value = this.value[key];
    return typeof value === 'number' && Number.isFinite(value) ? value : this.fail(key, 'a number');
  }

  flag(key: string): boolean {
    const value = this.value[key];
    return typeof value === 'boolean' ? value : this.fail(key, 'true or false');
  }

  nullable<T>(key: string, read: () => T): T | null {
    return this.value[key] === null ? null : read();
  }

  /** Two numbers under the first of the keys that is there. */
  range(...keys: readonly string[]): Range {
    const key = keys.find((name) => this.value[name] !== undefined) ?? keys[0]!;
    const value = this.value[key];
    if (!Array.isArray(value) || value.length !== 2 || !value.every(Number.isFinite)) this.fail(key, 'two numbers');
    return [value[0] as number, value[1] as number];
  }

  numbers(key: string): Record<string, number> {
    const object = this.object(key);
    return Object.fromEntries(Object.keys(object.value).map((name) => [name, object.number(name)]));
  }
}
