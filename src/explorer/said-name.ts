/** Letters of a name that a sentence takes. */
const MOST = 80;

/** Names a model or a task in a sentence: whole, or without its middle where it would be longer than the sentence. */
export function saidName(name: string): string {
  const letters = Array.from(name);
  if (letters.length <= MOST) return name;
  return `${letters.slice(0, MOST / 2).join('')}…${letters.slice(1 - MOST / 2).join('')}`;
}
