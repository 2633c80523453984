import { type ErrorPlace, fail, shown } from '../util/error.js';

/** Deepest nesting accepted in any JSON input. */
const MAX_JSON_DEPTH = 512;

interface JsonReaderOptions<N> {
  /** Turns the source text of a number into a value. */
  readonly number: (token: string) => N;
  /** Accepts the tokens NaN, Infinity and -Infinity, which JSON has not. */
  readonly nonFinite?: boolean;
  /** Refuses numbers that no double holds, such as 1e400. */
  readonly finite?: boolean;
  readonly file?: string | undefined;
  /** Line of the input at which the text starts; 1 unless given. */
  readonly line?: number | undefined;
}

type JsonTree<N> = null | boolean | string | N | JsonTree<N>[] | JsonObject<N>;
export interface JsonObject<N> {
  [key: string]: JsonTree<N>;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const NON_FINITE = /NaN|-?Infinity/y;

/** Sets an own property whatever its name is: `__proto__` too. */
function setOwn(object: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    (object as Record<string, unknown>)[key] = value;
  }
}

/**
 * Reads JSON token by token, in linear time, so that number tokens keep their source text and every error names its line
 * and column. Errors: JSON_INVALID, JSON_DUPLICATE_KEY.
 */
export function readJsonTree<N>(text: string, options: JsonReaderOptions<N>): JsonTree<N> {
  let at = 0;

  function placeOf(offset: number): ErrorPlace {
    let line = options.line ?? 1;
    let lineStart = 0;
    for (let i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) {
      line += 1;
      lineStart = i + 1;
    }
    return { file: options.file, line, column: offset - lineStart + 1 };
  }

  function expect(offset: number, expected: string, token?: string): never {
    const here = token === undefined ? shown(text.charAt(offset)) : token.slice(0, 80);
    const found = offset >= text.length ? 'the text ends' : `found ${here}`;
    fail(
      'JSON_INVALID',
      placeOf(offset),
      `${expected} expected, ${found}`,
      offset === 0 ? 'The file is of another kind: JSON begins with { or [.' : 'Correct the JSON there.',
    );
  }

  function blank(): void {
    for (;;) {
      const code = text.charCodeAt(at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      at += 1;
    }
  }

  function string(): string {
    const start = at;
    at += 1;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === 34) break;
      if (code < 32) expect(at, 'a string without raw control characters');
      if (Number.isNaN(code)) expect(at, 'the end of a string');
      at += code === 92 ? 2 : 1;
    }
    at += 1;
    const source = text.slice(start, at);
    if (!source.includes('\\')) return source.slice(1, -1);
    try {
      return JSON.parse(source) as string;
    } catch {
      expect(start, 'a string with known escapes');
    }
  }

  function object(depth: number): JsonObject<N> {
    const result: JsonObject<N> = {};
    at += 1;
    blank();
    if (text.charCodeAt(at) === 125) {
      at += 1;
      return result;
    }
    for (;;) {
      blank();
      if (text.charCodeAt(at) !== 34) expect(at, 'a key in double quotes');
      const keyAt = at;
      const key = string();
      if (Object.hasOwn(result, key)) {
        fail(
          'JSON_DUPLICATE_KEY',
          placeOf(keyAt),
          `the key ${shown(key)} stands twice in one object`,
          'Remove one of the two; which one counts would be a guess.',
        );
      }
      blank();
      if (text.charCodeAt(at) !== 58) expect(at, 'a colon');
      at += 1;
      setOwn(result, key, value(depth + 1));
      blank();
      const code = text.charCodeAt(at);
      if (code !== 44 && code !== 125) expect(at, 'a comma or a closing brace');
      at += 1;
      if (code === 125) return result;
    }
  }

  function array(depth: number): JsonTree<N>[] {
    const result: JsonTree<N>[] = [];
    at += 1;
    blank();
    if (text.charCodeAt(at) === 93) {
      at += 1;
      return result;
    }
    for (;;) {
      result.push(value(depth + 1));
      blank();
      const code = text.charCodeAt(at);
      if (code !== 44 && code !== 93) expect(at, 'a comma or a closing bracket');
      at += 1;
      if (code === 93) return result;
    }
  }

  function number(): N {
    NUMBER.lastIndex = at;
    let token = NUMBER.exec(text)?.[0];
    if (options.finite && token !== undefined && !Number.isFinite(Number(token)))
      expect(at, 'a number that a double holds', token);
    if (token === undefined && options.nonFinite) {
      NON_FINITE.lastIndex = at;
      token = NON_FINITE.exec(text)?.[0];
    }
    if (token === undefined) expect(at, 'a JSON value');
    at += token.length;
    return options.number(token);
  }

  function value(depth: number): JsonTree<N> {
    if (depth > MAX_JSON_DEPTH) expect(at, `nesting of at most ${MAX_JSON_DEPTH} levels`);
    blank();
    switch (text.charCodeAt(at)) {
      case 123:
        return object(depth);
      case 91:
        return array(depth);
      case 34:
        return string();
      case 116:
        if (text.startsWith('true', at)) return word(4, true);
        break;
      case 102:
        if (text.startsWith('false', at)) return word(5, false);
        break;
      case 110:
        if (text.startsWith('null', at)) return word(4, null);
        break;
    }
    return number();
  }

  function word<V>(length: number, meaning: V): V {
    at += length;
    return meaning;
  }

  const result = value(0);
  blank();
  if (at < text.length) expect(at, 'the end of the text');
  return result;
}
