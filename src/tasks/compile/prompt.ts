import { fail, shown } from '../../util/error.js';
import type { ReleasedFamily } from './compile-design.js';
import type { Candidate } from './family.js';

/** Version of the wording below; another wording is another protocol. */
export const PROMPT_PROTOCOL = 'flavourbench_selection_text_v1';

/** What a prompt says, block by block (compiler c.1). */
interface PromptParts {
  readonly preamble: string;
  /** Display name of the family. */
  readonly kind: string;
  readonly question: string;
  /** Names in label order, underscores still in place. */
  readonly choices: readonly string[];
  readonly select: number;
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];

/** Writes a small number as a word. */
export function numberWord(n: number): string {
  return NUMBERS[n] ?? String(n);
}

const spoken = (name: string): string => name.replaceAll('_', ' ');

const PREAMBLE =
  'This is a FlavourBench selection task. Every possible selection has already been scored by a fixed numerical model of ingredients, so the answer is looked up, not judged. Answer from your knowledge of cooking; do not browse and do not use tools. The selection is scored as a whole, and a good one that is not the best still earns part of the points.';

/** Fills the skeleton every prompt shares; blocks stand one blank line apart, and no concrete answer occurs (compiler c.1). Errors: PROMPT_LEAKS. */
export function promptText({ preamble, kind, question, choices, select }: PromptParts): string {
  const labels = choices.map((_, i) => String.fromCharCode(65 + i));
  const lines = choices.map((name, i) => `${labels[i]}. ${spoken(name)}`);
  const [what, order] =
    select === 1
      ? ['label', 'label']
      : ['different labels', `${numberWord(select)} labels in alphabetical order with commas between them`];
  const answer = `Choose exactly ${select} ${what} from ${labels[0]} to ${labels.at(-1)}. Give your answer on exactly one line: the marker \`FINAL_SELECTION:\` first, then the ${order}.`;
  const text = [preamble, `Family: ${kind}\n${question}`, `Candidates:\n${lines.join('\n')}`, answer].join('\n\n');
  const leak = [preamble, kind, question].find((part) => /FINAL_SELECTION/i.test(part));
  if (leak !== undefined) {
    fail(
      'PROMPT_LEAKS',
      null,
      `the wording holds the answer marker: ${shown(leak)}`,
      'Take it out: the marker stands in the last paragraph, and no answer may be shown.',
    );
  }
  return text;
}

function questionOf(family: ReleasedFamily, candidate: Candidate, select: number): string {
  const { anchor, variant, region } = candidate;
  const name = spoken(anchor.name);
  const count = numberWord(select);
  if (select === 1) return questionOfOne(family, candidate);
  switch (family) {
    case 'substitution':
      return `Which ${count} ingredients replace \`${name}\` best, keeping its part as ${anchor.category.toLowerCase()} and its regional setting, and suit one another?`;
    case 'pairing':
      return `Which ${count} ingredients go best with \`${name}\` and also hold together best as a group?`;
    case 'constraint':
      return `A dish is built around \`${name}\`. Choose ${count} complements that are all ${variant!.flag} and of NOVA processing level ${variant!.nova} or lower. Among the selections that keep both conditions, which pairs best with it and holds together best?`;
    case 'cultural_composition':
      return `The cuisine is ${spoken(region!)}. Which ${count} ingredients express it best? They must come from ${count} different ingredient categories.`;
  }
}

/** A portfolio of one has no members that could suit one another. */
function questionOfOne(family: ReleasedFamily, { anchor, variant, region }: Candidate): string {
  const name = spoken(anchor.name);
  switch (family) {
    case 'substitution':
      return `Which ingredient replaces \`${name}\` best, keeping its part as ${anchor.category.toLowerCase()} and its regional setting?`;
    case 'pairing':
      return `Which ingredient goes best with \`${name}\`?`;
    case 'constraint':
      return `A dish is built around \`${name}\`. Choose the complement that pairs best with it among those that are ${variant!.flag} and of NOVA processing level ${variant!.nova} or lower.`;
    case 'cultural_composition':
      return `The cuisine is ${spoken(region!)}. Which ingredient expresses it best?`;
  }
}

const KINDS = {
  substitution: 'substitution',
  pairing: 'pairing',
  constraint: 'constraint',
  cultural_composition: 'regional cuisine selection',
};

/** Words the prompt of a task of a released family, choices in label order. */
export function culinaryPrompt(
  family: ReleasedFamily,
  candidate: Candidate,
  choices: readonly string[],
  select: number,
): string {
  return promptText({
    preamble: PREAMBLE,
    kind: KINDS[family],
    question: questionOf(family, candidate, select),
    choices,
    select,
  });
}
