import { Lexer, Parser } from 'yaml';

/** Most characters of a document that people write by hand. */
const MOST_CHARACTERS = 1 << 20;
/** Deepest nesting, most keys of one map and most errors that are gone through: past them the library takes ever longer, or ends the process. */
const DEEPEST = 64;
const MOST_KEYS = 2048;
const MOST_ERRORS = 64;

/** Why a YAML text is not read, and where. */
interface YamlExcess {
  readonly what: string;
  /** UTF-16 unit of the text. */
  readonly offset: number;
}

/**
 * Says what of a YAML text is more than is read: its length, its nesting, the keys of one map, its errors; undefined where nothing is. It is found out without recursion
 * and in linear time, before the text is composed.
 */
export function yamlExcess(text: string): YamlExcess | undefined {
  if (text.length > MOST_CHARACTERS)
    return { what: `${text.length} characters of YAML; at most ${MOST_CHARACTERS} are read`, offset: 0 };
  const parser = new Parser();
  let offset = 0;
  let errors = 0;
  let first: YamlExcess | undefined;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      if (token.type !== 'error') continue;
      first ??= { what: token.message, offset: token.offset };
      errors += 1;
      if (errors > MOST_ERRORS) return first;
    }
    const { stack } = parser;
    if (stack.length > DEEPEST) return { what: `nesting of more than ${DEEPEST} levels`, offset };
    const top = stack.at(-1);
    const map = top?.type === 'block-map' || (top?.type === 'flow-collection' && top.start.source === '{');
    if (map && top.items.length > MOST_KEYS) return { what: `more than ${MOST_KEYS} keys in one map`, offset };
    offset += lexeme.length;
  }
  return undefined;
}
