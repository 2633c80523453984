import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttemptEvent, type JournalEvent, parseEvent } from '../../src/ledger/journal-event.js';
import { CHAIN_START, decodeLine, encodeLine, peekAttempt } from '../../src/ledger/journal-line.js';
import { bindingFor } from './support.js';

const hex = fc
  .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 64, maxLength: 64 })
  .map((digits) => digits.join(''));
const nasty = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('"cell":"', '"type":"request_started"}', '\\"cost_micros":7,', '"}', '\u2028'),
);

const attempts: fc.Arbitrary<AttemptEvent & { at: string }> = fc.record(
  {
    at: fc.constant('2026-08-20T00:00:00.000Z'),
    type: fc.constantFrom(
      'response_received' as const,
      'request_rejected' as const,
      'accounting_reconciled' as const,
      'retry_scheduled' as const,
    ),
    cell: hex,
    attempt_id: nasty,
    attempt_index: fc.nat(),
    cost_micros: fc.nat(),
    error_type: nasty,
    metadata: fc.dictionary(nasty, nasty),
  },
  { requiredKeys: ['at', 'type', 'cell', 'attempt_id', 'attempt_index'] },
);

describe('a journal line', () => {
  it('reads back, and any changed byte shows', () => {
    fc.assert(
      fc.property(attempts, fc.nat(), fc.integer({ min: 1, max: 255 }), (event, place, change) => {
        const { line, chain, eventSha256 } = encodeLine(event, CHAIN_START);
        const bytes = Buffer.from(line);
        const decoded = decodeLine(bytes, CHAIN_START);
        expect(decoded).toMatchObject({ chain, eventSha256 });
        expect(JSON.parse('text' in decoded ? decoded.text : '')).toEqual(event);
        const at = place % bytes.length;
        bytes[at] = bytes[at]! ^ change;
        expect(decodeLine(bytes, CHAIN_START)).toHaveProperty('problem');
      }),
    );
  });
});

describe('an event', () => {
  it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty', 'nothing'])(
    'of the type %s is of none',
    (type) => {
      const text = JSON.stringify({ at: '2026-08-20T00:00:00.000Z', type });
      expect(() => parseEvent(text, { file: 'events.jsonl', line: 1 })).toThrow(
        /events\.jsonl, line 1: the event is of unknown type/,
      );
    },
  );
});

describe('the quick reader of attempt lines', () => {
  it('finds the same cell, type and cost as a full parse, whatever text surrounds them', () => {
    fc.assert(
      fc.property(attempts, (event) => {
        const decoded = decodeLine(Buffer.from(encodeLine(event, CHAIN_START).line), CHAIN_START);
        const { at, cell, type, cost_micros } = event;
        expect(peekAttempt('text' in decoded ? decoded.text : '')).toEqual({
          at,
          cell,
          type,
          cost_micros,
        });
      }),
      { numRuns: 300 },
    );
  });

  it('reads a start through its binding, and leaves every other event alone', () => {
    const textOf = (event: object) => {
      const { line } = encodeLine({ at: 'now', ...event } as JournalEvent, CHAIN_START);
      return line.slice(84, -83);
    };
    const binding = bindingFor({ decoding: { cell: 'no', type: 'request_started' } });
    const start = { cell: binding.cell, attempt_id: 'a', attempt_index: 0, binding };
    expect(peekAttempt(textOf({ type: 'request_started', ...start }))).toEqual({
      at: 'now',
      type: 'request_started',
      cell: binding.cell,
      cost_micros: undefined,
    });
    const record = { cell: binding.cell, uncertain_micros: 0, outcome: 'request_started' };
    expect(peekAttempt(textOf({ type: 'record_written', ...record }))).toBeUndefined();
    expect(peekAttempt(textOf({ type: 'scores_inspected', stamp_sha256: 'x' }))).toBeUndefined();
    expect(peekAttempt('{}')).toBeUndefined();
  });
});
