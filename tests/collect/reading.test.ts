import { describe, expect, it } from 'vitest';
import { finishClass, normaliseStopReason } from '../../src/collect/reading.js';

describe('how a reply ended', () => {
  it.each([
    ['stop', null, 'normal'],
    ['end_turn', null, 'normal'],
    ['stop', 'end_turn', 'normal'],
    ['stop', 'STOP', 'normal'],
    ['length', 'max_tokens', 'length'],
    ['stop', 'max_tokens', 'length'],
    ['content_filter', null, 'content_filter'],
    ['stop', 'SAFETY', 'content_filter'],
    ['content_filter', 'refusal', 'refusal'],
    ['stop', 'refusal', 'refusal'],
    ['tool_calls', null, 'tool'],
    ['error', null, 'error'],
    ['something_new', null, 'unknown'],
    [null, null, 'unknown'],
    [null, 'max_tokens', 'length'],
  ] as const)('is %j with the native reason %j: %s', (finish, native, expected) => {
    expect(finishClass({ finish, native })).toBe(expected);
  });

  it('is a refusal where one is explicit, whatever else is said', () => {
    expect(finishClass({ finish: 'stop', native: 'stop', refused: true })).toBe('refusal');
  });

  it('follows from the stop reasons of the messages protocol', () => {
    expect(['end_turn', 'stop_sequence', 'max_tokens', 'tool_use', 'Refusal', null].map(normaliseStopReason)).toEqual([
      'stop',
      'stop',
      'length',
      'tool_calls',
      'refusal',
      null,
    ]);
  });
});
