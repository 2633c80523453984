import { useEffect, useState } from 'preact/hooks';
import type { AnswerBook } from '../sources/answer-book.js';
import type { Opened } from '../sources/opened.js';

type Reading =
  | { readonly at: 'none' }
  | { readonly at: 'waiting' }
  | { readonly at: 'failed'; readonly reason: string }
  | { readonly at: 'ready'; readonly book: AnswerBook };

/** Reads the answers of what was opened, when a view that shows them is looked at. */
export function useAnswers({ answers }: Opened): Reading {
  const [reading, setReading] = useState<Reading>({ at: answers === null ? 'none' : 'waiting' });
  useEffect(() => {
    let latest = true;
    const set = (next: Reading) => latest && setReading(next);
    if (answers === null) set({ at: 'none' });
    else
      answers().then(
        (book) => set({ at: 'ready', book }),
        (error: unknown) => set({ at: 'failed', reason: error instanceof Error ? error.message : String(error) }),
      );
    return () => {
      latest = false;
    };
  }, [answers]);
  return reading;
}
