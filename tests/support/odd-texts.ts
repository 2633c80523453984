/** Texts that formats, decoders and terminals are known to lose, turn or join: each is valid Unicode. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\ufeff',
  '\ufeffname',
  '\ufeff\ufeffname',
  'na\ufeffme\ufeff',
  '\u0000',
  'a\u0000b',
  '\u0001\u001b[31m\u007f\u0085\u009f',
  // One letter in two normal forms, and one that the compatibility forms would change.
  '\u00e9',
  'e\u0301',
  '\ufb01\u2126\u212b',
  // Noncharacters.
  '\ufffe',
  '\uffff',
  '\ufdd0',
  '\u{1fffe}',
  '\u{10ffff}',
  '\ufffd',
  // What turns the direction of a text.
  '\u202ereversed\u202c',
  '\u2066isolated\u2069',
  '\u200f\u061c',
  // What ends lines, fields and strings.
  'a\nb',
  'a\rb',
  'a\r\nb',
  '\r\n',
  'a\u2028b\u2029c',
  '"',
  '""',
  'a,b;c\td|e',
  "'",
  '\\',
  '\\u0041',
  '\u{1f469}\u200d\u{1f373}',
  '\u0301',
  '\u{e0041}\ufe0f',
  'null',
  'NaN',
  '__proto__',
  '=1+1',
];

/** Halves of surrogate pairs alone, in a text, and in the wrong order. */
export const HALVES: readonly string[] = ['\ud800', '\udfff', 'a\ud83d', '\udf73\ud83c', '\ufeff\udbff'];
