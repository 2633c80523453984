/** Names of the eight choices of a task that is made for measuring. */
export const NAMES = ['oat', 'rye', 'rice', 'corn', 'teff', 'spelt', 'millet', 'barley'];

const LABELS = 'ABCDEFGH';
/** The 56 keys of three of eight labels, in order. */
export const KEYS = [];
for (let a = 0; a < 8; a++)
  for (let b = a + 1; b < 8; b++) for (let c = b + 1; c < 8; c++) KEYS.push(LABELS[a] + LABELS[b] + LABELS[c]);

/** The ten forms in which answers come, one after the other: labels in several dresses, names, and a corrected mistake. */
export function madeAnswer(i) {
  const [a, b, c] = KEYS[(i * 7) % 56];
  return [
    `FINAL_SELECTION: ${a},${b},${c}`,
    `FINAL_SELECTION: ${c}, ${a}, ${b}`,
    `Some thoughts first.\n\nFINAL_SELECTION: ${a},${b},${c}\n`,
    `**FINAL_SELECTION: ${a},${b},${c}**`,
    `\`FINAL_SELECTION: ${a},${b},${c}\``,
    `final_selection : ${a} , ${b} , ${c}`,
    `FINAL_SELECTION:\n${a},${b},${c}`,
    `FINAL_SELECTION: ${a},${b},${c}<|close|>response`,
    `FINAL_SELECTION: ${NAMES[i % 8]}, ${NAMES[(i + 3) % 8]}, ${NAMES[(i + 5) % 8]}`,
    `FINAL_SELECTION: A,A,B no wait.\nFINAL_SELECTION: ${a},${b},${c}`,
  ][i % 10];
}
