import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openAnswerKernel, UNSURE } from '../../src/responses/answer-kernel.js';
import { choiceIndex } from '../../src/responses/choices.js';
import { parseAnswer, readText } from '../../src/responses/parser.js';

const choices = ['basil', 'black_pepper', 'Quinoa', 'lemon_balm', 'red_currant', 'cherry', 'jam', 'straße'];
const tasks = [
  { id: 'one', choices },
  { id: 'bare', choices: [] },
];
const index = choiceIndex(choices);
const kernels = { v3: openAnswerKernel(tasks, 'v3'), v4: openAnswerKernel(tasks, 'v4') };
const kernel = kernels.v4;

function codesOf(texts: readonly string[], task = 0, { read } = kernel): Int32Array {
  const parts = texts.map((text) => Buffer.from(text, 'utf8'));
  const offsets = new Int32Array(parts.length + 1);
  parts.forEach((part, i) => {
    offsets[i + 1] = offsets[i]! + part.length;
  });
  return read(Buffer.concat(parts), offsets, new Int32Array(texts.length).fill(task));
}

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('FINAL_SELECTION', 'final_selection', 'fınal_ſelectİon'),
  },
  { weight: 4, arbitrary: fc.constantFrom(':', ': ', ' : ', ':\n', '_', 'FINAL', 'SELECTION') },
  {
    weight: 6,
    arbitrary: fc.constantFrom('A,B,C', 'c , A,b', 'A,A,B', 'D,\nE,F', 'A', 'h', 'I', ','),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom('basil, jam, Quinoa', 'STRASSE', 'Black  Pepper', 'red_currant'),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(' ', '\n', '\r\n', '\t', '\x0b', '\x1c', '\x1f', '\x85', '\u2028', '\u00e9'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('**', '`', '_', '<|close|>response', '<|CLOSE|>Response', '.', 'x'),
  },
);
const mark = fc.constantFrom(
  ...['<think>', '</think>', '<\\/think>', '[THINK]', '[/THINK]', '◁think▷', '<|channel|>analysis', '<|end|>'],
  ...['<seed:think>', '</x:thought>', '<|START_THINKING|>', '<|END_THINKING|>', '<', '[', '<|', '◁'],
);
const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
const answer = fc.oneof(
  text,
  text.map((rest) => `FINAL_SELECTION: ${rest}`),
);

describe('the kernel that reads answers', () => {
  it.each(['v3', 'v4'] as const)(
    'is never wrong under parser %s where marks of reasoning stand among the words',
    (parser) => {
      const marked = fc.array(fc.oneof({ weight: 3, arbitrary: piece }, mark), { maxLength: 14 });
      let reasoned = 0;
      fc.assert(
        fc.property(fc.array(marked, { minLength: 1, maxLength: 40 }), (lists) => {
          const texts = lists.map((pieces) => pieces.join(''));
          codesOf(texts, 0, kernels[parser]).forEach((code, i) => {
            const read = readText(texts[i]!, index, parser);
            if (read.reasoned) reasoned += 1;
            if (code === UNSURE) return;
            expect(code, JSON.stringify(texts[i])).toBe(read.code);
            expect(read.reasoned).toBe(false);
          });
        }),
        { numRuns: 1000 },
      );
      if (parser === 'v3') expect(reasoned).toBe(0);
      else expect(reasoned).toBeGreaterThan(1000);
    },
  );

  it('is never wrong where it is sure, and is sure of nearly all ASCII', () => {
    let ascii = 0;
    let unsure = 0;
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 40 }), (texts) => {
        const codes = codesOf(texts);
        texts.forEach((raw, i) => {
          const code = codes[i];
          if (/^[\0-\x7f]*$/.test(raw)) {
            ascii += 1;
            if (code === UNSURE) unsure += 1;
          }
          if (code !== UNSURE) expect(code, JSON.stringify(raw)).toBe(parseAnswer(raw, index, 'v4'));
        });
      }),
      { numRuns: 1500 },
    );
    expect(ascii).toBeGreaterThan(5000);
    expect(unsure).toBe(0);
  });

  it('leaves answers to tasks without choices and to unknown tasks to the parser', () => {
    expect([...codesOf(['FINAL_SELECTION: A,B,C', ''], 1)]).toEqual([UNSURE, UNSURE]);
    expect([...codesOf(['FINAL_SELECTION: A,B,C'], -1)]).toEqual([UNSURE]);
  });

  it('numbers models as they come and knows them again', () => {
    expect(['b', 'a', 'b', '', 'é'].map((name) => kernel.model(name))).toEqual([0, 1, 0, 2, 3]);
    const bytes = Buffer.from('aébx');
    const offsets = Int32Array.from([0, 1, 3, 4, 5]);
    expect([...kernel.find('models', bytes, offsets, 4)]).toEqual([1, 3, 0, -1]);
    expect([...kernel.find('tasks', Buffer.from('oneonbare'), Int32Array.from([0, 3, 5, 9]), 3)]).toEqual([0, -1, 1]);
    expect(kernel.models).toEqual(['b', 'a', '', 'é']);
  });
});

describe('the kernel that counts line feeds', () => {
  it('counts as many as there are, in any range and past any tally', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        fc.nat({ max: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (piece, start, times) => {
          const bytes = Uint8Array.from({ length: piece.length * times }, (_, i) => {
            const byte = piece[i % piece.length]!;
            return byte < 64 ? 10 : byte;
          });
          const room = kernel.room(bytes.length);
          room.set(bytes);
          const from = Math.min(start, bytes.length);
          const feeds = bytes.subarray(from).reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0);
          expect(kernel.lineFeeds(room, from, bytes.length)).toBe(feeds);
          expect(kernel.lineFeeds(bytes, from, bytes.length)).toBe(feeds);
        },
      ),
    );
    expect(kernel.lineFeeds(kernel.room(100_001).fill(10), 0, 100_001)).toBe(100_001);
  });
});
