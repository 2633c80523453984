import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSelection } from '../../src/responses/parser.js';
import { withoutReasoning } from '../../src/responses/reasoning.js';
import { readTaskSet } from '../../src/tasks/task-files.js';
import { oracleRest, oracleV3 } from './oracle.js';

const names = ['basil', 'black_pepper', 'quinoa', 'lemon_balm', 'red_currant', 'cherry', 'jam', 'straße'];
const abc = 'FINAL_SELECTION: A,B,C';
const def = 'FINAL_SELECTION: D,E,F';

const read = (text: string, version: 'v4' | 'v3' = 'v4') => {
  const { outcome, key, reasoned } = parseSelection(text, names, { version });
  return [key ?? outcome, reasoned];
};

describe('parser v4 and reasoning in an answer', () => {
  it('reads the case of inline reasoning: no answer, the one behind it, the one behind an orphan mark', () => {
    const { choices } = readTaskSet('fixtures/tasks-small.json').tasks[0]!;
    const rows = readFileSync('fixtures/cases/answers/think-inline.jsonl', 'utf8').trim().split('\n');
    const found = rows.map((line) => {
      const { model_id, response } = JSON.parse(line) as { model_id: string; response: string };
      const { outcome, key, reasoned } = parseSelection(response, choices);
      const before = parseSelection(response, choices, { version: 'v3' });
      return [model_id, key ?? outcome, reasoned, before.key ?? before.outcome];
    });
    expect(found).toEqual([
      ['open', 'open_reasoning', true, 'ABC'],
      ['closed', 'DEF', true, 'contradictory'],
      ['orphan', 'DEF', true, 'contradictory'],
    ]);
  });

  it.each([
    ['a name of reasoning, in any case', `<Thinking>\n${abc}\n</thinking>\n${def}`, 'DEF'],
    ['a prefix and attributes', `<seed:think time="3">${abc}</seed:think>${def}`, 'DEF'],
    ['a bracket', `[THINK]${abc}[/THINK]${def}`, 'DEF'],
    ['a triangle', `◁think▷${abc}◁/think▷${def}`, 'DEF'],
    [
      'a channel that the next one ends',
      `<|start|>assistant<|channel|>analysis<|message|>${abc}<|end|><|start|>assistant<|channel|>final<|message|>${def}`,
      'DEF',
    ],
    ['a channel that never ends', `<|channel|>analysis<|message|>${abc}`, 'open_reasoning'],
    ['marks of a template', `<|START_THINKING|>${abc}<|END_THINKING|>${def}`, 'DEF'],
    ['several spans', `<think>${abc}</think>\n<think>${abc}</think>\n${def}`, 'DEF'],
    ['a second span that never ends', `<think>${abc}</think>\n${def}\n<think>or ${abc}`, 'open_reasoning'],
    ['a span inside another', `<think>\n<think>${abc}</think>\n${abc}</think>\n${def}`, 'DEF'],
    ['the same name only', `<think>${abc}</reasoning>${def}`, 'open_reasoning'],
    ['an answer before a span', `${def}\n<think>${abc}</think>`, 'DEF'],
    ['an answer before an orphan mark', `${def}\n</think>`, 'no_marker'],
    ['a span behind a byte order mark and what has no width', `\ufeff\u200b<think>${abc}</think>${def}`, 'DEF'],
    ['an open span behind an element', `<response lang="en"><think>${abc}`, 'open_reasoning'],
    ['an open span behind a mark of wide bars', `<｜Assistant｜><think>${abc}`, 'open_reasoning'],
    ['other names of reasoning', `<scratch_pad>${abc}</scratch_pad>\n<rationale>${abc}</rationale>\n${def}`, 'DEF'],
    ['a name with hyphens', `<chain-of-thought>\n${abc}\n</chain-of-thought>\n${def}`, 'DEF'],
    ['a name with hyphens that never ends', `<inner-monologue>\n${abc}`, 'open_reasoning'],
    ['a tag that ends in the next line', `<think\n>\n${abc}\n</think\n  >\n${def}`, 'DEF'],
    ['an open tag that ends in the next line', `<think\n>\n${abc}`, 'open_reasoning'],
    ['an orphan tag that ends in the next line', `${abc}\n</think\n>\n${def}`, 'DEF'],
    ['names of single models', `<longcat_think>\n${abc}\n</longcat_think>\n${def}`, 'DEF'],
    ['levels of thinking that never end', `<think_faster>\n${abc}`, 'open_reasoning'],
    ['an inner prefix', `<|inner_prefix|>\n${abc}\n<|inner_suffix|>\n${def}`, 'DEF'],
    ['a channel of reasoning', `<|channel|>reasoning<|message|>\n${abc}`, 'open_reasoning'],
    ['a tag inside another that never ends', `<think>\n<reasoning>\n${abc}\n</reasoning>\n${def}`, 'open_reasoning'],
    ['a quoted attribute that holds a tag end', `<think note="a>b">\n${abc}\n</think>\n${def}`, 'DEF'],
    ['a span in a fence', `\`\`\`xml\n<think>\n${abc}\n</think>\n\`\`\`\n${def}`, 'DEF'],
    ['labels behind a span', `FINAL_SELECTION:\n<think>hm</think>\nA,B,C`, 'ABC'],
  ])('passes over %s', (_what, text, expected) => {
    expect(read(text)).toEqual([expected, true]);
  });

  it.each([
    ['a mention in a line', `I avoid \`<think>\` and <think>.\n${abc}`],
    ['a quoted closing mark', `${abc}\nI write no \`</think>\`.`],
    ['a mention behind an element inside a line', `I avoid <b><think></b>.\n${abc}`],
    ['an element closed in itself', `<think/>\n<think a="1"/>\n${abc}`],
    ['another element', `<thinker>\n<b>\n${abc}`],
    ['a heading in brackets', `[Analysis]\n[Reasoning about B]\n${abc}`],
    ['a tag of which another line is no end', `<think\nof it as you like>\n${abc}`],
    ['the end mark of a chat template', `<|end|>\n${abc}`],
  ])('takes %s for no reasoning', (_what, text) => {
    expect(read(text)).toEqual(['ABC', false]);
    expect(read(text, 'v3')).toEqual(['ABC', false]);
  });

  const piece = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom('<think>', '</think>', '<Think >', '</think >', '<think a="b">', '<think/>'),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        '<seed:think>',
        '</seed:think>',
        '<reasoning>',
        '</reasoning>',
        '<thought-process>',
        '<think',
        '</think',
        '<thin',
        '<',
      ),
    },
    { weight: 3, arbitrary: fc.constantFrom('[THINK]', '[/THINK]', '◁think▷', '◁/think▷', '[think', '◁') },
    { weight: 3, arbitrary: fc.constantFrom('<b>', '</b>', '<b a="1">', '\ufeff', '\u200b', '｜>', '<1>') },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        '<|channel|>analysis',
        '<|channel|>final',
        '<|end|>',
        '<|start|>assistant',
        '<|message|>',
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom('<|START_THINKING|>', '<|inner_prefix|>', '<|inner_suffix|>', 'assistant', '|>'),
    },
    { weight: 4, arbitrary: fc.constantFrom('\n', ' ', '\n ', '\x85', '\u2028', '\t', '`', 'x', 'é') },
    { weight: 5, arbitrary: fc.constantFrom(`${abc}\n`, `\n${def}\n`, 'FINAL_SELECTION:', ' A,B,C') },
  );

  it('agrees with slow regular expressions on every text', () => {
    let open = 0;
    let ok = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const rest = oracleRest(text);
        const { outcome, key, reasoned } = parseSelection(text, names);
        expect(outcome === 'open_reasoning', JSON.stringify(text)).toBe(rest === null);
        expect(key, JSON.stringify(text)).toBe(rest === null ? null : oracleV3(rest, names));
        if (!reasoned) expect(key).toBe(parseSelection(text, names, { version: 'v3' }).key);
        if (rest === null) open += 1;
        else if (key !== null && reasoned) ok += 1;
      }),
      { numRuns: 4000 },
    );
    expect(open).toBeGreaterThan(200);
    expect(ok).toBeGreaterThan(80);
  });

  it.each([
    '<think>',
    '<think ',
    '</think',
    '<think\n',
    '</think\n\n',
    '`</think>`',
    '[THINK]',
    '◁think▷',
    '<|channel|>',
    '<|',
    '<',
    '<t ',
    '</think>\n<think>',
    '<b>',
    'x<b><think>',
    '<b> <think>x',
  ])('looks at each place of a text of %s a bounded number of times', (part) => {
    let looks = 0;
    const counted = (text: string) =>
      new Proxy(new String(text), {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (name === 'charCodeAt' || (typeof name === 'string' && /^\d+$/.test(name))) looks += 1;
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }) as unknown as string;
    const cost = (length: number) => {
      looks = 0;
      withoutReasoning(counted(part.repeat(length)));
      return looks;
    };
    expect(cost(4000)).toBeLessThan(2.2 * cost(2000) + 100);
  });
});
