/** What the place that output goes to can show. */
export interface Terminal {
  /** Places in a line. */
  readonly columns: number;
  /** Whether it is a terminal, which breaks longer lines in the middle of a word. */
  readonly breaks: boolean;
  /** Whether letters and marks past ASCII come out as they are. */
  readonly unicode: boolean;
  readonly colour: boolean;
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const USUAL = 80;
const LEAST = 40;

/** Reads an environment variable that is set to something. */
const setTo = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

/**
 * Finds what a stream can show. Columns: the terminal's own, else `COLUMNS`, else 80. ASCII alone where the locale names a character set
 * that is not UTF-8 (`LC_ALL=C`), and where `TERM` is `dumb`. Colours on a terminal that is not dumb, or where `FORCE_COLOR` asks for them;
 * `NO_COLOR` rules both out.
 */
export function terminalOf(stream: Stream, env: Readonly<Record<string, string | undefined>>): Terminal {
  const locale = setTo(env.LC_ALL) ?? setTo(env.LC_CTYPE) ?? setTo(env.LANG);
  const dumb = env.TERM === 'dumb';
  const forced = setTo(env.FORCE_COLOR);
  const asked = forced !== undefined && forced !== '0' && forced !== 'false';
  const columns = (stream.isTTY === true ? stream.columns : undefined) || Number(env.COLUMNS) || null;
  return {
    columns: Math.max(LEAST, Math.floor(columns ?? USUAL)),
    breaks: stream.isTTY === true,
    unicode: !dumb && (locale === undefined || /utf-?8/i.test(locale)),
    colour: setTo(env.NO_COLOR) === undefined && (asked || (stream.isTTY === true && !dumb && forced === undefined)),
  };
}

/** What standard output can show. */
export const terminal = terminalOf(process.stdout, process.env);

/** Places in a line of sentences: longer ones are hard to read. */
export const textWidth = Math.min(terminal.columns, 100);

/** What standard error can show. */
export const errorTerminal = terminalOf(process.stderr, process.env);

/** Marks of ours and what stands for them where only ASCII comes out. */
const IN_ASCII: Readonly<Record<string, string>> = {
  '─': '-',
  '━': '=',
  '●': 'o',
  '├': '+',
  '┤': '+',
  '…': '~',
  '–': '-',
  '—': '-',
  '×': 'x',
  '≥': '>=',
  '≤': '<=',
};

/** Writes a text in ASCII: our marks by others, letters by their code point. */
export function asciiText(text: string): string {
  return text.replace(/[^\u0000-\u007f]/gu, (c) => IN_ASCII[c] ?? `\\u{${c.codePointAt(0)!.toString(16)}}`);
}

/** Writes a text as a place can show it. */
export function shownOn(text: string, { unicode }: Pick<Terminal, 'unicode'>): string {
  return unicode ? text : asciiText(text);
}
