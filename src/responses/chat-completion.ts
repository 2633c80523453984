import { isObject } from '../io/json.js';

/** A chat message; only its text counts. */
export interface ChatMessage {
  readonly role?: string;
  readonly content: string | readonly { readonly type?: string; readonly text?: string }[] | null;
}

/** What a model wrote: a text, or messages of which the last counts. */
export type Completion = string | readonly ChatMessage[];

/** Gives the text of a completion that counts; empty where there is none, as in a batch with a null. */
export function completionText(completion: unknown): string {
  if (typeof completion === 'string') return completion;
  if (!Array.isArray(completion)) return '';
  const content: unknown = (completion.at(-1) as ChatMessage | null | undefined)?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
}
