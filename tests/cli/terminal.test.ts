import { describe, expect, it } from 'vitest';
import { asciiText, terminalOf } from '../../src/cli/terminal.js';

const tty = { isTTY: true, columns: 120 };

describe('what a terminal can show', () => {
  it('is its own width, else COLUMNS, else 80', () => {
    expect(terminalOf(tty, { COLUMNS: '60' }).columns).toBe(120);
    expect(terminalOf({}, { COLUMNS: '60' }).columns).toBe(60);
    expect(terminalOf({}, {}).columns).toBe(80);
    expect(terminalOf({ isTTY: true, columns: 0 }, { COLUMNS: 'wide' }).columns).toBe(80);
  });

  it('is ASCII alone in the C locale and on a dumb terminal', () => {
    const unicode = (env: Record<string, string>) => terminalOf(tty, env).unicode;
    expect(unicode({})).toBe(true);
    expect(unicode({ LANG: 'de_DE.UTF-8' })).toBe(true);
    expect(unicode({ LC_ALL: 'C', LANG: 'de_DE.UTF-8' })).toBe(false);
    expect(unicode({ LC_ALL: '', LC_CTYPE: 'POSIX' })).toBe(false);
    expect(unicode({ LC_ALL: 'C.utf8' })).toBe(true);
    expect(unicode({ TERM: 'dumb', LANG: 'de_DE.UTF-8' })).toBe(false);
  });

  it('has colours where it is a terminal or they are forced, and none where NO_COLOR says so', () => {
    const colour = (stream: object, env: Record<string, string>) => terminalOf(stream, env).colour;
    expect(colour(tty, {})).toBe(true);
    expect(colour({}, {})).toBe(false);
    expect(colour({}, { FORCE_COLOR: '1' })).toBe(true);
    expect(colour(tty, { FORCE_COLOR: '0' })).toBe(false);
    expect(colour(tty, { NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(false);
    expect(colour(tty, { NO_COLOR: '' })).toBe(true);
    expect(colour(tty, { TERM: 'dumb' })).toBe(false);
  });
});

describe('a text in ASCII', () => {
  it('has marks for marks, and letters by their code point', () => {
    expect(asciiText('├─●━┤ a…b é 🍕')).toBe('+-o=+ a~b \\u{e9} \\u{1f355}');
  });
});
