import type { Elsewhere } from '../../words-elsewhere.js';

/** What a transfer study has no choice in. */
export const STUDY_WORDS: Elsewhere = {
  '--strata <name>': ['the strata of a study are its families', 'Leave it out.'],
  '--threads <n>': ['a study is small: one thread takes less time than others take to start', 'Leave it out.'],
};
