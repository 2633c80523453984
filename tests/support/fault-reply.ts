import { orderKey } from '../../src/io/digest.js';

/** Everything the server can do to a request. The first group takes nothing; the second does the work and charges for it. */
export const REJECTIONS = ['rate', 'rate_after', 'envelope_502', 'quota', 'unauthorised', 'bad_request'] as const;
export const ACCEPTED = [
  'correct',
  'trickle',
  'status_500',
  'stall',
  'reset',
  'malformed',
  'wrong_model',
  'wrong_provider',
  'cache_hit',
  'length',
  'content_filter',
  'refusal',
  'empty',
  'huge',
  'not_chat',
] as const;
export type Fault = (typeof REJECTIONS)[number] | (typeof ACCEPTED)[number];

export function isRejection(fault: Fault): boolean {
  return (REJECTIONS as readonly string[]).includes(fault);
}

/** OpenRouter, plain chat completions, messages. */
export type Style = 'or' | 'oa' | 'an';

export const FAULT_PROVIDER = 'Test Provider';

/** The dated name that a model of these tests must be answered under. */
export function datedName(model: string): string {
  return `${model}-20260101`;
}

/** The body of an accepted request, as the fault wants it. */
export function replyBody(options: {
  readonly fault: Fault;
  readonly style: Style;
  readonly id: string;
  readonly named: string;
  readonly provider: string;
  readonly cell: string;
  readonly prompt: number;
  readonly completion: number;
}): string {
  const { fault, style, id, named, provider, cell, prompt, completion } = options;
  const labels = [...'ABCDEFGH'].filter((l) => orderKey(cell, l) < '8').concat(['A', 'B', 'C', 'D']);
  const line = `FINAL_SELECTION: ${[...new Set(labels)].slice(0, 3).sort().join(',')}`;
  const text = fault === 'empty' ? '' : fault === 'huge' ? line.padEnd(400_000, ' x') : line;
  const finish = fault === 'length' ? 'length' : fault === 'content_filter' ? 'content_filter' : 'stop';
  const chat = {
    id,
    object: 'chat.completion',
    model: named,
    ...(style === 'or' ? { provider } : {}),
    choices: [
      {
        index: 0,
        finish_reason: finish,
        ...(style === 'or' ? { native_finish_reason: fault === 'refusal' ? 'refusal' : finish } : {}),
        message: {
          role: 'assistant',
          content: text,
          ...(fault === 'refusal' ? { refusal: 'no' } : {}),
        },
      },
    ],
    usage: { prompt_tokens: prompt, completion_tokens: completion },
  };
  const stops: Partial<Record<Fault, string>> = {
    length: 'max_tokens',
    content_filter: 'content_filter',
    refusal: 'refusal',
  };
  const messages = {
    id,
    type: 'message',
    role: 'assistant',
    model: named,
    content: [{ type: 'text', text }],
    stop_reason: stops[fault] ?? 'end_turn',
    usage: { input_tokens: prompt, output_tokens: completion },
  };
  return JSON.stringify(fault === 'not_chat' ? { object: 'response', output: [] } : style === 'an' ? messages : chat);
}
