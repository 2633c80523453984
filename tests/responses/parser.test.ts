import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ParserVersion, parseSelection } from '../../src/responses/parser.js';
import { noShared, shared } from '../support/shared.js';

const names = ['basil', 'black_pepper', 'quinoa', 'lemon_balm', 'red_currant', 'cherry', 'jam', 'mint'];
const read = (text: unknown, version: ParserVersion = 'v3') => parseSelection(text, names, { version });

describe('parser v3', () => {
  it.each([
    ['FINAL_SELECTION: C, a ,B', 'ABC'],
    ['xfinal_selection\n:\n A,B,C', 'ABC'],
    ['FINAL_SELECTION: A,B,C ** <|CLOSE|>reſponse ', 'ABC'],
    ['FINAL_SELECTION: `basil, Black  Pepper, QUINOA`', 'ABC'],
    ['fınal_ſelectİon: A,B,C', 'ABC'],
    ['FINAL_SELECTION: A,A,B\nFINAL_SELECTION: A,B,C\nFINAL_SELECTION: none', 'ABC'],
  ])('reads %j', (text, key) => {
    expect(read(text)).toMatchObject({ outcome: 'ok', key });
  });

  it.each([
    ['', 'no_marker'],
    ['FINAL SELECTION: A,B,C', 'no_marker'],
    ['FINAL_SELECTION A,B,C', 'no_marker'],
    ['FINAL_SELECTION:', 'empty_selection'],
    ['FINAL_SELECTION: \n\t\u2028', 'empty_selection'],
    ['FINAL_SELECTION: A,B,C\nFINAL_SELECTION:', 'empty_selection'],
    ['FINAL_SELECTION: FINAL_SELECTION: A,B,C', 'empty_selection'],
    ['FINAL_SELECTION: A,B', 'wrong_count'],
    ['FINAL_SELECTION: A,B,C,D', 'wrong_count'],
    ['FINAL_SELECTION: A B C', 'wrong_count'],
    ['FINAL_SELECTION: A,B,I', 'unknown_label'],
    ['FINAL_SELECTION: A,B,C.', 'unknown_label'],
    ['FINAL_SELECTION: **A,B,C**', 'unknown_label'],
    ['FINAL_SELECTION: basil, B, quinoa', 'unknown_label'],
    ['FINAL_SELECTION: A,B,a', 'duplicate_label'],
    ['FINAL_SELECTION: basil, mint, Basil', 'duplicate_label'],
    ['FINAL_SELECTION: A,B,C FINAL_SELECTION: A,B,D', 'contradictory'],
    [null, 'not_text'],
    [17, 'not_text'],
    [['FINAL_SELECTION: A,B,C'], 'not_text'],
  ])('says why %j is no answer', (text, outcome) => {
    expect(read(text)).toEqual({ outcome, action: -1, key: null, reasoned: false });
  });

  it('has no answer where the choices are not eight distinct names', () => {
    const twice = [...names.slice(0, 7), 'Red Currant'];
    expect(parseSelection('FINAL_SELECTION: A,B,C', twice).outcome).toBe('unknown_label');
    expect(parseSelection('FINAL_SELECTION: A,B,C', { A: 'x' }).outcome).toBe('unknown_label');
  });

  it('bounds the length only when asked', () => {
    const text = `${'x'.repeat(2000)}FINAL_SELECTION: A,B,C`;
    expect(read(text).outcome).toBe('ok');
    expect(parseSelection(text, names, { maxLength: 1000 }).outcome).toBe('too_long');
  });

  it('keeps line separators of other scripts apart from the answer', () => {
    expect(read('one\u2028FINAL_SELECTION: A,B,C\u2028two').key).toBe('ABC');
    expect(read('FINAL_SELECTION: A,B,C\u0085D').key).toBe('ABC');
    expect(read('FINAL_SELECTION: A,B,C\ufeff').outcome).toBe('unknown_label');
  });

  it('stays linear on hostile text', () => {
    const hostile = [
      'FINAL_SELECTION:A '.repeat(200_000),
      `FINAL_SELECTION${' '.repeat(2_000_000)}`,
      `FINAL_SELECTION: A${' '.repeat(2_000_000)},`,
      'FINAL_'.repeat(500_000),
      `FINAL_SELECTION: ${','.repeat(2_000_000)}`,
      'FINAL_SELECTION : x\n'.repeat(100_000),
      `${'*'.repeat(2_000_000)}FINAL_SELECTION: A,B,C${'*'.repeat(2_000_000)}x`,
    ];
    const outcomes = hostile.map((text) => [read(text).outcome, read(text, 'v2').outcome]);
    expect(outcomes).toEqual([
      ['wrong_count', 'wrong_count'],
      ['no_marker', 'no_marker'],
      ['wrong_count', 'wrong_count'],
      ['no_marker', 'no_marker'],
      ['wrong_count', 'wrong_count'],
      ['wrong_count', 'wrong_count'],
      ['unknown_label', 'unknown_label'],
    ]);
  });
});

describe('parsers v2 and v1', () => {
  it('take the last whole line, even when its labels repeat', () => {
    expect(read('FINAL_SELECTION: A,B,C\nFINAL_SELECTION: A,B,D', 'v2').key).toBe('ABD');
    expect(read('FINAL_SELECTION: A,B,C\nFINAL_SELECTION: A,B,B', 'v2').outcome).toBe('duplicate_label');
    expect(read('FINAL_SELECTION: A,B,C and FINAL_SELECTION: A,B,D', 'v2').outcome).toBe('unknown_label');
  });

  it('differ in emphasis around the line', () => {
    expect(read('  ** FINAL_SELECTION: A,B,C `_`\r\n', 'v2').key).toBe('ABC');
    expect(read('  ** FINAL_SELECTION: A,B,C `_`\r\n', 'v1').outcome).toBe('unknown_label');
    expect(read('** ** FINAL_SELECTION: A,B,C', 'v2').outcome).toBe('unknown_label');
  });

  it('end a line at LF only and let blanks span lines', () => {
    expect(read('FINAL_SELECTION:\n\nA,\nB,\nC', 'v2').key).toBe('ABC');
    expect(read('FINAL_SELECTION: A,B,C\rnext', 'v2').outcome).toBe('unknown_label');
    expect(read('FINAL_SELECTION: A,B,C\u2028', 'v2').key).toBe('ABC');
  });

  it('read labels, not names', () => {
    expect(read('FINAL_SELECTION: basil, quinoa, mint', 'v2').outcome).toBe('unknown_label');
    expect(read('nothing', 'v1').outcome).toBe('no_marker');
    expect(read('FINAL_SELECTION:', 'v2').outcome).toBe('empty_selection');
  });
});

describe.skipIf(noShared)('recorded parser cases', () => {
  interface Case {
    id: number;
    raw: string;
    expected_v1: string | null;
    expected_v2: string | null;
    expected_v3: string | null;
    score_bps: number | null;
  }

  it('gives the answer of every reference parser on every case', () => {
    const golden = JSON.parse(readFileSync(shared('golden/parser_cases.json'), 'utf8')) as {
      choices: Record<string, string>;
      selection_scores_bps: Record<string, number>;
      cases: Case[];
    };
    expect(golden.cases).toHaveLength(103);
    for (const item of golden.cases) {
      for (const version of ['v1', 'v2', 'v3'] as const) {
        const { key } = parseSelection(item.raw, golden.choices, { version });
        expect(key, `case ${item.id}, ${version}`).toBe(item[`expected_${version}`]);
        if (version === 'v3' && key !== null) {
          expect(golden.selection_scores_bps[key]).toBe(item.score_bps);
        }
      }
    }
  });

  it('agrees with the laboratory probes; where the reference crashes there is no answer', () => {
    const golden = JSON.parse(readFileSync(shared('golden/lab/parser-edge-cases.json'), 'utf8')) as {
      choices: Record<string, string>;
      cases: { text: string; v3: string | null; v2_last_line: string | null }[];
    };
    expect(golden.cases).toHaveLength(56);
    for (const { text, v3, v2_last_line } of golden.cases) {
      const expected = v3?.startsWith('!') ? null : v3;
      const now = parseSelection(text, golden.choices, { version: 'v3' });
      expect(parseSelection(text, golden.choices).key, text).toBe(now.key);
      expect(now.key, text).toBe(expected);
      if (v3?.startsWith('!')) expect(now.outcome, text).toBe('empty_selection');
      expect(parseSelection(text, golden.choices, { version: 'v2' }).key, text).toBe(v2_last_line);
    }
  });
});
