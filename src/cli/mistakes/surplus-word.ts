import { statSync } from 'node:fs';
import { type Command, CommanderError, type Option } from 'commander';
import { FlavourError, failure } from '../../util/error.js';
import { either } from '../../util/format.js';
import { shellWord } from '../../util/text.js';
import { callWords } from './call-words.js';
import { headOf, kindOf } from './wrong-kind.js';

/** Options that are listed where several could take a word. */
const LISTED = 6;

const NUMBER = /^[+-]?\d*\.?\d+$/;
const NUMBERS: ReadonlySet<string> = new Set(['n', 'x', 'k', 'points', 'scale', 'seconds']);
/** What a fraction can be. */
const FRACTIONS: ReadonlySet<string> = new Set(['x', 'points']);
const FILES: ReadonlySet<string> = new Set(['file', 'files', 'path', 'plan', 'report', 'page.html', 'csv', 'env']);
const FOLDERS: ReadonlySet<string> = new Set(['folder', 'dir', 'path', 'repository', 'env']);
/** What a word can be that is neither a number nor a file; models first, for they are named most. */
const WORDS: readonly string[] = ['model', 'models', 'list', 'id', 'ids', 'names', 'name', 'task', 'text'];

/** What an option takes, as its help calls it. */
const takes = ({ flags }: Option): string => /[<[]([^>\].]+(?:\.html)?)/.exec(flags)?.[1] ?? '';

/** Tells whether an option takes this word and few others: it is one of its choices, or its help lists it. */
function chooses(option: Option, word: string): boolean {
  if (option.argChoices !== undefined) return option.argChoices.includes(word);
  if (!/^[a-z][\w-]*$/.test(word) || !['name', 'names', 'rule', 'version'].includes(takes(option))) return false;
  return new RegExp(`[:,(] ?${word}\\b|\\b(?:or|and) ${word}\\b`).test(option.description);
}

/** Options for a table that says something of tasks, by the names of its two columns. */
const SIDES: Readonly<Record<string, string>> = { family: '--families', cluster: '--clusters', value: '--chance' };

/** The options that a file of its content, or a folder, belongs to; the usual one first. */
function fileTakers(options: readonly Option[], path: string): readonly Option[] {
  const named = (...names: readonly string[]) => options.filter(({ long }) => names.includes(long!));
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return options.filter((option) => FOLDERS.has(takes(option)));
  if (stat === undefined) {
    const outs = /\.(?:html|png|svg|json|csv|arrow|pdf)$/i.test(path) ? named('--out') : [];
    if (outs.length > 0) return [...outs, ...options.filter((option) => takes(option).startsWith('file'))];
  }
  const kind = stat === undefined ? undefined : kindOf(path);
  const [first = ''] = headOf(path).split(/\r?\n/, 1);
  const side = /^\W*task\W+(family|cluster|value)\W*$/i.exec(first)?.[1]?.toLowerCase();
  const own =
    kind === 'tasks'
      ? named('--tasks')
      : kind === 'answers'
        ? named('--responses')
        : side === undefined
          ? kind === 'table'
            ? named('--compare')
            : []
          : named(SIDES[side]!);
  return own.length > 0 ? own : options.filter((option) => FILES.has(takes(option)) && option.long !== '--out');
}

/** The options of a command that take such a word, with the word behind them. */
function takersOf(command: Command, word: string): readonly string[] {
  const options = command.options.filter(({ hidden, long }) => !hidden && long !== undefined && long !== '--help');
  const write = (some: readonly Option[]) => some.map(({ long }) => `${long} ${shellWord(word)}`);
  const chosen = options.filter((option) => chooses(option, word));
  if (chosen.length > 0) return write(chosen);
  const own = options
    .filter(({ long }) => long === `--${word}`)
    .map((option) => `${option.long} ${takes(option).toUpperCase()}`.trim());
  if (own.length > 0 && !own[0]!.includes(' ')) return own;
  if (NUMBER.test(word)) {
    const wanted = word.includes('.') ? FRACTIONS : NUMBERS;
    return write(options.filter((option) => wanted.has(takes(option))));
  }
  if (word.includes('>') && options.some(({ long }) => long === '--fail-unless'))
    return [`--fail-unless ${shellWord(word)}`];
  if (/[./\\]/.test(word) || statSync(word, { throwIfNoEntry: false }) !== undefined)
    return write(fileTakers(options, word));
  const free = options.filter(
    (option) => option.argChoices === undefined && !option.description.startsWith('only these'),
  );
  return [...own, ...write(WORDS.flatMap((what) => free.filter((option) => takes(option) === what)))];
}

/** The word of a call that the command has no place for: one too many, or one behind the first that is no file. */
function surplusIn(error: unknown, command: Command, free: readonly string[]): string | undefined {
  if (error instanceof CommanderError)
    return error.code === 'commander.excessArguments' ? free[command.registeredArguments.length] : undefined;
  if (!(error instanceof FlavourError) || error.code !== 'INPUT_NOT_FOUND') return undefined;
  return command.registeredArguments.some(({ variadic }) => variadic)
    ? free.slice(1).find((word) => word === error.where?.file)
    : undefined;
}

/**
 * Names the options that take a word which a call gives as a file, or which is one too many (reading 4). Any other error is given back, and
 * so is that about a file which no option takes.
 */
export function explainSurplus(error: unknown, program: Command, argv: readonly string[]): unknown {
  const { command, free } = callWords(program, argv);
  if (error instanceof CommanderError && error.code === 'commander.unknownCommand' && free[0] !== undefined) {
    const names = command.commands.map((each) => each.name()).filter((name) => name !== 'help');
    if (statSync(free[0], { throwIfNoEntry: false }) === undefined) return error;
    return failure(
      'USAGE',
      null,
      `${free[0]} stands where ${command.name()} expects what to do`,
      `Say it first: ${either(names.slice(0, LISTED))}${names.length > LISTED ? ', ...' : ''}; as \`flavourbench ${command.name()} ${names[0]} ${shellWord(free[0])}\`.`,
    );
  }
  const word = surplusIn(error, command, free);
  if (word === undefined) return error;
  const ways = takersOf(command, word);
  const listed = ways.length > LISTED ? `${ways.slice(0, LISTED).join(', ')} and others` : either(ways);
  const said = `Only an option takes ${shellWord(word)} here: ${listed}.`;
  if (error instanceof FlavourError)
    return ways.length === 0
      ? error
      : failure(error.code, null, error.message, `If it is no file: ${said.charAt(0).toLowerCase()}${said.slice(1)}`);
  const hint = ways.length === 0 ? `No option of \`${command.name()}\` takes ${shellWord(word)}: leave it out.` : said;
  return failure('USAGE', null, (error as CommanderError).message.replace(/^error: /, ''), hint);
}
