import type { ScoreMatrix } from '../../core/matrix.js';
import { pairIndex } from '../../engine/design.js';
import { testWords } from '../../inference/decisions/decision-words.js';
import { byRank } from '../../inference/model-ranks.js';
import { type Inference, PAIR_DECISIONS } from '../../inference/result.js';
import { fail } from '../../util/error.js';
import { counted, general } from '../../util/format.js';

/** One of two audits that are compared. */
export interface ComparedAudit {
  readonly matrix: ScoreMatrix;
  /** Whether values of cells are known: not where missing ones stand at the ends of the scale. */
  readonly complete: boolean;
  readonly inference: Inference;
}

/** Names of one kind in two tables. */
interface NameChange {
  readonly common: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** A model of both tables. */
interface ScoreChange {
  readonly model: string;
  readonly before: number;
  readonly after: number;
  readonly change: number;
  readonly rank_before: number;
  readonly rank_after: number;
}

/** Two models that one of the audits tells apart, the first above there. */
interface PairClaim {
  readonly higher: string;
  readonly lower: string;
  /** Adjusted, of both audits; null where a model is not in the table. */
  readonly p_before: number | null;
  readonly p_after: number | null;
}

export interface AuditComparison {
  readonly models: NameChange;
  readonly tasks: NameChange;
  /** Cells of both tables, and those whose value differs; null where missing cells leave values open. */
  readonly cells: {
    readonly common: number;
    readonly changed: number;
    /** What all values were multiplied by, where it is one number other than 1. */
    readonly factor?: number;
  } | null;
  /** How each table was tested, where the procedures differ: they are chosen by the data. */
  readonly tests?: { readonly before: string; readonly after: string };
  /** Models of both tables, by their rank in the second. */
  readonly scores: readonly ScoreChange[];
  readonly claims: {
    /** Pairs that both tell apart, the same way round. */
    readonly standing: number;
    /** That the first tells apart and the second does not. */
    readonly fallen: readonly PairClaim[];
    /** That the two tell apart, each the other way round. */
    readonly reversed: readonly PairClaim[];
    /** That the second tells apart and the first does not, both models being in both tables. */
    readonly added: readonly PairClaim[];
    /** Of the second, about a model that the first lacks; and of the first, about one that the second lacks. */
    readonly of_added_models: readonly PairClaim[];
    readonly of_removed_models: number;
  };
}

function nameChange(before: readonly string[], after: readonly string[]): NameChange {
  const [old, now] = [new Set(before), new Set(after)];
  const added = after.filter((name) => !old.has(name));
  return { common: after.length - added.length, added, removed: before.filter((name) => !now.has(name)) };
}

/** Counts the cells of both tables, and those that hold another value, in points. */
function changedCells(before: ScoreMatrix, after: ScoreMatrix): NonNullable<AuditComparison['cells']> {
  const rows = new Map(before.models.map((model, m) => [model, m]));
  const columns = new Map(before.tasks.map((task, t) => [task, t]));
  const places = after.tasks.map((task) => columns.get(task));
  let [common, changed] = [0, 0];
  const factors = new Set<number>();
  after.models.forEach((model, m) => {
    const row = rows.get(model);
    if (row === undefined) return;
    places.forEach((column, t) => {
      if (column === undefined) return;
      common += 1;
      const [old, now] = [
        before.values[row * before.tasks.length + column]!,
        after.values[m * after.tasks.length + t]!,
      ];
      if (old * after.scale !== now * before.scale) changed += 1;
      if ((old !== 0 || now !== 0) && factors.size < 2) factors.add(factorOf(old / before.scale, now / after.scale));
    });
  });
  const [factor = 1, other] = factors;
  const isOne = other === undefined && Number.isFinite(factor) && factor !== 0 && factor !== 1;
  return { common, changed, ...(isOne ? { factor } : {}) };
}

/** How many times one number is in the other, to twelve digits. */
const factorOf = (old: number, now: number): number => Number((now / old).toPrecision(12));

/** Scores that differ by no more than the rounding of a double are equal: they may be formed under two scales. */
const changeOf = (first: number, second: number): number =>
  Math.abs(second - first) <= 1e-12 * Math.max(Math.abs(first), Math.abs(second)) ? 0 : second - first;

/** Which of two models is told apart as the higher one, and the adjusted p. */
function decided({
  models,
  pairTable,
}: Inference): (first: string, second: string) => { readonly sign: number; readonly p: number } | null {
  const index = new Map(models.map(({ modelId }, m) => [modelId, m]));
  return (first, second) => {
    const [a, b] = [index.get(first), index.get(second)];
    if (a === undefined || b === undefined) return null;
    const pair = a < b ? pairIndex(a, b, models.length) : pairIndex(b, a, models.length);
    const said = PAIR_DECISIONS[pairTable!.decision[pair]!]!;
    const sign = said === 'higher' ? 1 : said === 'lower' ? -1 : 0;
    return { sign: a < b ? sign : -sign || 0, p: pairTable!.adjusted[pair]! };
  };
}

/**
 * Compares two audits of tables that share models and tasks: scores, cells, and which claims of the first still stand (reading 5.3). Errors:
 * TABLES_DISJOINT where they share no model or no task.
 */
export function compareAudits(before: ComparedAudit, after: ComparedAudit): AuditComparison {
  const models = nameChange(before.matrix.models, after.matrix.models);
  const tasks = nameChange(before.matrix.tasks, after.matrix.tasks);
  for (const [what, { common, added, removed }] of [
    ['model', models],
    ['task', tasks],
  ] as const)
    if (common === 0)
      fail(
        'TABLES_DISJOINT',
        null,
        `the two tables share no ${what}: the first has ${removed
          .slice(0, 3)
          .map((name) => JSON.stringify(name))
          .join(', ')}, the second ${added
          .slice(0, 3)
          .map((name) => JSON.stringify(name))
          .join(', ')}`,
        `Give tables of the same models and tasks; --model-column, --task-column and --transpose say which names are which.`,
      );
  const [old, now] = [byRank(before.inference.models), byRank(after.inference.models)];
  const was = new Map(old.map((model) => [model.modelId, model]));
  const scores = now.flatMap(({ modelId, score, rank }): ScoreChange[] => {
    const earlier = was.get(modelId);
    if (earlier === undefined) return [];
    const { score: first, rank: place } = earlier;
    return [
      {
        model: modelId,
        before: first,
        after: score,
        change: changeOf(first, score),
        rank_before: place,
        rank_after: rank,
      },
    ];
  });
  const [oldTest, newTest] = [testWords(before.inference), testWords(after.inference)];
  return {
    models,
    tasks,
    ...(oldTest === newTest ? {} : { tests: { before: oldTest, after: newTest } }),
    cells: before.complete && after.complete ? changedCells(before.matrix, after.matrix) : null,
    scores,
    claims: claimsOf(before.inference, after.inference),
  };
}

function claimsOf(before: Inference, after: Inference): AuditComparison['claims'] {
  const [first, second] = [decided(before), decided(after)];
  const ids = [...new Set([...byRank(after.models), ...byRank(before.models)].map(({ modelId }) => modelId))];
  const [fallen, reversed, added, ofAdded]: PairClaim[][] = [[], [], [], []];
  let [standing, ofRemoved] = [0, 0];
  ids.forEach((one, i) => {
    for (const other of ids.slice(i + 1)) {
      const [old, now] = [first(one, other), second(one, other)];
      const sign = now?.sign || old?.sign || 0;
      if (sign === 0) continue;
      const [higher, lower] = sign > 0 ? [one, other] : [other, one];
      const claim = { higher, lower, p_before: old?.p ?? null, p_after: now?.p ?? null };
      if (now === null) ofRemoved += 1;
      else if (old === null) ofAdded!.push(claim);
      else if (now.sign === 0) fallen!.push(claim);
      else if (old.sign === 0) added!.push(claim);
      else if (old.sign === now.sign) standing += 1;
      else reversed!.push(claim);
    }
  });
  return {
    standing,
    fallen: fallen!,
    reversed: reversed!,
    added: added!,
    of_added_models: ofAdded!,
    of_removed_models: ofRemoved,
  };
}

const NAMED = 3;

const listOf = (claims: readonly PairClaim[], name: (id: string) => string): string => {
  const said = claims.slice(0, NAMED).map(({ higher, lower }) => `${name(higher)} > ${name(lower)}`);
  return `${said.join(', ')}${claims.length > NAMED ? ` and ${claims.length - NAMED} more` : ''}`;
};

/** Says in sentences what changed from the first table to the second, and which claims stand. */
export function comparisonWords(
  { models, tasks, cells, tests, scores, claims }: AuditComparison,
  name: (id: string) => string,
  /** Writes a score so that a change of it shows. */
  score: (points: number, change: number) => string,
): string[] {
  const names = (what: string, { added, removed }: NameChange) => [
    ...(added.length > 0
      ? [
          `${counted(added.length, what)} more (${added.slice(0, NAMED).map(name).join(', ')}${added.length > NAMED ? ', ...' : ''})`,
        ]
      : []),
    ...(removed.length > 0
      ? [
          `${counted(removed.length, what)} less (${removed.slice(0, NAMED).map(name).join(', ')}${removed.length > NAMED ? ', ...' : ''})`,
        ]
      : []),
  ];
  const differ = [...names('model', models), ...names('task', tasks)];
  const moved = scores.filter(({ change }) => change !== 0).sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  const most = moved
    .slice(0, NAMED)
    .map(
      ({ model, before, after, change }) => `${name(model)} from ${score(before, change)} to ${score(after, change)}`,
    );
  const isSameData =
    cells?.changed === 0 &&
    tasks.added.length + tasks.removed.length === 0 &&
    models.added.length + models.removed.length > 0;
  const total = claims.standing + claims.fallen.length + claims.reversed.length;
  return [
    `The second table has ${differ.length === 0 ? 'the same models and tasks' : differ.join(', ')}.${tasks.added.length + tasks.removed.length > 0 ? ' Scores over other tasks are other scores.' : ''}`,
    ...(cells === null
      ? []
      : [
          cells.factor !== undefined
            ? `Every value that both have is ${general(cells.factor, 6)} times what it was: is it in another unit?`
            : cells.changed === 0
              ? `All ${counted(cells.common, 'cell')} that both have are equal.`
              : `${counted(cells.changed, 'cell')} of ${cells.common} that both have differ${cells.changed === 1 ? 's' : ''}.`,
        ]),
    moved.length === 0
      ? 'No score changed.'
      : `${counted(moved.length, 'score')} of ${scores.length} changed, most of all ${most.join(', ')}.`,
    ...(tests === undefined
      ? []
      : [
          `The tables are tested in two ways, chosen by the data: the first by ${tests.before}; the second by ${tests.after}.`,
        ]),
    total === 0
      ? 'The first table tells no two of the models apart that both have: there is no claim that could fall.'
      : `${claims.standing} of ${counted(total, 'claim')} of the first table still stand${claims.standing === 1 ? 's' : ''}.`,
    ...(claims.fallen.length > 0
      ? [`Fallen, for the second does not tell them apart: ${listOf(claims.fallen, name)}.`]
      : []),
    ...(isSameData && claims.fallen.length + claims.added.length > 0
      ? [
          `No cell of these models changed: other models ${models.added.length > 0 ? 'came in' : 'went'}, and the control holds over all pairs of a table.`,
        ]
      : []),
    ...(claims.reversed.length > 0 ? [`Now the other way round: ${listOf(claims.reversed, name)}.`] : []),
    ...(claims.added.length > 0 ? [`New: ${listOf(claims.added, name)}.`] : []),
    ...(claims.of_added_models.length > 0 ? [`Of models that came in: ${listOf(claims.of_added_models, name)}.`] : []),
    ...(claims.of_removed_models > 0
      ? [`${counted(claims.of_removed_models, 'claim')} named a model that is gone.`]
      : []),
  ];
}
