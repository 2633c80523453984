import { isUtf8 } from 'node:buffer';
import { isObject, type JsonObject } from '../io/json.js';
import { counted } from '../util/format.js';
import { isWellFormed, stripped } from '../util/text.js';
import type { HttpOutcome } from './http.js';
import {
  type AnswerKind,
  EMPTY_READING,
  finishClass,
  normaliseStopReason,
  type Reading,
  type Usage,
} from './reading.js';
import { safeScalar } from './redact.js';
import {
  amountOf,
  claimsIn,
  countOf,
  errorScalars,
  parseObject,
  readErrorReply,
  readRefusal,
  replyKind,
  textOf,
} from './reply.js';

type Reply = Extract<HttpOutcome, { kind: 'reply' }>;

/** HIT, MISS, BYPASS or OTHER; null where no cache speaks. */
function cacheOf(headers: Readonly<Record<string, string>>): string | null {
  const value = headers['x-openrouter-cache'] ?? headers['cf-aig-cache-status'];
  if (value === undefined) return null;
  const word = value.trim().toUpperCase();
  return word === 'HIT' || word === 'MISS' || word === 'BYPASS' ? word : 'OTHER';
}

function joinParts(content: unknown): string | null {
  if (typeof content === 'string') return stripped(content);
  if (!Array.isArray(content)) return null;
  const parts = content.flatMap((part: unknown) =>
    isObject(part) && (part.type === 'text' || part.type === 'output_text') && typeof part.text === 'string'
      ? [part.text]
      : [],
  );
  return stripped(parts.join(''));
}

function chatUsage(body: JsonObject): Usage | null {
  const usage = isObject(body.usage) ? body.usage : {};
  const prompt = countOf(usage.prompt_tokens);
  const completion = countOf(usage.completion_tokens);
  if (prompt === null || completion === null) return null;
  const details = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  return { prompt, completion, reasoning: countOf(details.reasoning_tokens) };
}

function messagesUsage(body: JsonObject): Usage | null {
  const usage = isObject(body.usage) ? body.usage : {};
  const prompt = countOf(usage.input_tokens);
  const completion = countOf(usage.output_tokens);
  if (prompt === null || completion === null) return null;
  const cached = (countOf(usage.cache_read_input_tokens) ?? 0) + (countOf(usage.cache_creation_input_tokens) ?? 0);
  return { prompt: prompt + cached, completion, reasoning: null };
}

function chatParts(body: JsonObject) {
  const choice = Array.isArray(body.choices) ? (body.choices[0] as unknown) : undefined;
  const first = isObject(choice) ? choice : {};
  const message = isObject(first.message) ? first.message : {};
  const usage = isObject(body.usage) ? body.usage : {};
  const finish = textOf(first.finish_reason);
  const native = textOf(first.native_finish_reason);
  const refused = typeof message.refusal === 'string' && message.refusal !== '';
  return {
    finish,
    native,
    finishClass: isObject(first.error) ? ('error' as const) : finishClass({ finish, native, refused }),
    text: joinParts(message.content),
    usage: chatUsage(body),
    costUsd: amountOf(usage.cost),
    claims: claimsIn(usage, [
      { of: 'cost', field: 'cost' },
      { of: 'tokens', field: 'prompt_tokens' },
      { of: 'tokens', field: 'completion_tokens' },
    ]),
  };
}

function messagesParts(body: JsonObject) {
  const native = textOf(body.stop_reason);
  const finish = normaliseStopReason(native);
  return {
    finish,
    native,
    finishClass: finishClass({ finish, native }),
    text: joinParts(body.content),
    usage: messagesUsage(body),
    costUsd: null,
    claims: claimsIn(isObject(body.usage) ? body.usage : {}, [
      { of: 'tokens', field: 'input_tokens' },
      { of: 'tokens', field: 'output_tokens' },
      { of: 'tokens', field: 'cache_read_input_tokens' },
      { of: 'tokens', field: 'cache_creation_input_tokens' },
    ]),
  };
}

/**
 * What an error reply says was done for it: an error beside choices, or beside tokens or a cost, was paid for, whatever its status and
 * code. Null where nothing was done.
 */
function paidFor(body: JsonObject): Pick<Reading, 'usage' | 'costUsd' | 'claims'> | null {
  const { usage, costUsd, claims } =
    body.type === 'message' || isMessagesUsage(body) ? messagesParts(body) : chatParts(body);
  const worked = [body.choices, body.content].some((parts) => Array.isArray(parts) && parts.length > 0);
  const counts = usage !== null && usage.prompt + usage.completion > 0;
  const cost = costUsd !== null && Number(costUsd) > 0;
  return worked || counts || cost || claims.length > 0 ? { usage, costUsd, claims } : null;
}

const isMessagesUsage = ({ usage }: JsonObject): boolean => isObject(usage) && 'output_tokens' in usage;

/** Makes an error reply one that was accepted, where it was paid for. */
function booked(error: Reading, body: JsonObject | null): Reading {
  const paid = body === null ? null : paidFor(body);
  if (body === null || paid === null) return error;
  return {
    ...error,
    ...paid,
    delivery: 'accepted',
    failure: error.failure === 'content_filter' ? 'content_filter' : 'error_envelope',
    finishClass: error.finishClass === 'content_filter' ? 'content_filter' : 'error',
    message: `${error.message}, an error beside an answer or its tokens`,
    retryable: false,
    suspend: false,
    retryAfter: null,
    generationId: textOf(body.id),
    model: textOf(body.model),
    provider: textOf(body.provider),
  };
}

/** A character that a reader sees: a text of blanks, marks of order and joiners alone is none. */
const SEEN = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Only a normal end carries an answer; everything else is a failure of its own kind, never a wrong answer. */
function failureOf(reading: Reading, garbled: boolean): string | null {
  if (reading.cache === 'HIT') return 'cached';
  if (reading.finishClass !== 'normal') {
    const word = reading.finishClass;
    return word === 'unknown' || word === 'error' || word === 'tool' ? `finish_${word}` : word;
  }
  if (reading.text === null || !SEEN.test(reading.text)) return 'empty';
  return garbled || !isWellFormed(reading.text) ? 'invalid_text' : null;
}

const MESSAGES: Readonly<Record<string, string>> = {
  cached: 'the reply came from a cache',
  invalid_text:
    'the text is not whole: the reply is no UTF-8, or holds half of a surrogate pair, which UTF-8 cannot write',
};

/** What a reply of each kind holds, in words, and how it ends. */
const ANSWERS: Readonly<Record<AnswerKind, string>> = {
  chat_completions: 'choices',
  messages: 'type message and content',
};
const ENDS: Readonly<Record<AnswerKind, string>> = { chat_completions: 'stop', messages: 'end_turn' };

/** The media type that a reply states; its words are never kept. */
function mediaType({ headers }: Reply): string {
  return /^[a-z0-9.+-]{1,40}\/[a-z0-9.+-]{1,60}/i.exec(headers['content-type'] ?? '')?.[0] ?? 'no media type';
}

/** The names of an object's first members, as far as they can carry nothing else. */
function memberNames(value: JsonObject): string {
  const names = Object.keys(value);
  const first = names.slice(0, 6).map((name) => safeScalar(name));
  return `${first.length === 0 ? 'no members' : first.join(', ')}${names.length > 6 ? ', ...' : ''}`;
}

/** What stands where text was expected. */
function answerWords(body: JsonObject): string {
  const choice = Array.isArray(body.choices) ? (body.choices[0] as unknown) : undefined;
  const message = isObject(choice) && isObject(choice.message) ? choice.message : undefined;
  return message === undefined ? 'no message' : `a message with ${memberNames(message)}`;
}

function usageWords(usage: Usage | null): string {
  if (usage === null) return 'no usage';
  const reasoning = usage.reasoning === null ? '' : `, ${usage.reasoning} of them reasoning`;
  return `${counted(usage.completion, 'completion token')}${reasoning}`;
}

/**
 * Reads a reply of a chat-completions or messages endpoint, in the order of collection 1.8: status, JSON, kind, freshness,
 * finish, text. Identity is judged later, when accounting is known.
 */
export function readReply(reply: Reply, expected: AnswerKind): Reading {
  const ok = reply.status >= 200 && reply.status < 300;
  if (reply.oversized) {
    return ok
      ? {
          ...EMPTY_READING,
          delivery: 'accepted',
          failure: 'oversized',
          status: reply.status,
          message: 'the reply was longer than max_reply_bytes',
        }
      : readRefusal(reply, null);
  }
  const body = parseObject(reply.body);
  if (!ok) return booked(readRefusal(reply, body), body);
  const cache = cacheOf(reply.headers);
  const base: Reading = { ...EMPTY_READING, delivery: 'accepted', status: reply.status, cache };
  if (body === null) {
    return {
      ...base,
      replyKind: 'not_json',
      failure: 'malformed_reply',
      message: `expected a JSON object with ${ANSWERS[expected]}, got ${mediaType(reply)}, ${counted(reply.body.length, 'byte')}`,
    };
  }
  const kind = replyKind(body);
  if (kind === 'error_envelope') return { ...booked(readErrorReply(reply, body, cache === 'HIT'), body), cache };
  const known: Reading = {
    ...base,
    replyKind: kind,
    generationId: textOf(body.id),
    model: textOf(body.model),
    provider: textOf(body.provider),
  };
  if (kind !== expected) {
    const { code } = errorScalars(body);
    const detail = code === null ? `, a JSON object with ${memberNames(body)}` : `, code ${code}`;
    return {
      ...known,
      failure: kind,
      message: `expected ${expected}, got ${kind}${detail}`,
    };
  }
  const parts = kind === 'messages' ? messagesParts(body) : chatParts(body);
  const reading: Reading = { ...known, ...parts };
  const garbled = reply.garbled ?? !isUtf8(reply.body);
  const failure = failureOf(reading, garbled);
  const abnormal = `did not finish normally: expected ${ENDS[expected]}, got ${reading.finish ?? 'no reason'} (native ${reading.native ?? 'none'})`;
  const empty = `expected text, got none; ${usageWords(reading.usage)}, ${answerWords(body)}`;
  const message = failure === null ? null : failure === 'empty' ? empty : (MESSAGES[failure] ?? abnormal);
  return { ...reading, failure, message };
}
