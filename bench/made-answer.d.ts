export const NAMES: readonly string[];
export const KEYS: readonly string[];
/** The answer of a number, in one of ten forms. */
export function madeAnswer(i: number): string;
