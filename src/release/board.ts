import { failure, shown } from '../util/error.js';

export type Json = Readonly<Record<string, unknown>>;
export type Range = readonly [number, number];

export interface BoardChance {
  /** Score of a uniformly random answer, points. */
  readonly score: number;
  readonly difference: number;
  readonly interval: Range;
  readonly p: number;
  readonly holm: number;
  /** Significant and positive. */
  readonly above: boolean;
}

/** One row of a leaderboard, whichever document it came from. Scores in points. */
export interface BoardModel {
  readonly id: string;
  readonly name: string;
  readonly slot: string | null;
  readonly score: number;
  /** By family, panels pooled. */
  readonly familyScores: Readonly<Record<string, number>>;
  readonly standardError: number;
  readonly pointwise: Range;
  readonly simultaneous: Range;
  readonly rank: number;
  readonly rankInterval: Range;
  readonly group: number;
  readonly valid: number;
  readonly scheduled: number;
  readonly chance: BoardChance | null;
}

export interface BoardPair {
  readonly left: number;
  readonly right: number;
  readonly difference: number;
  readonly interval: Range;
  readonly dz: number | null;
  readonly p: number;
  readonly holm: number;
  readonly significant: boolean;
  readonly direction: 'left_higher' | 'right_higher' | 'tie';
}

export interface BoardReplication {
  readonly panels: readonly [string, string];
  readonly pearson: number | null;
  readonly spearman: number | null;
  /** Per model, in roster order: score in the first and in the second panel. */
  readonly scores: readonly Range[];
}

/** The `analysis` of a release (collection 3.1), ours or the published one, as plain data. */
export interface Board {
  /** Roster order: the order of rows everywhere. */
  readonly models: readonly BoardModel[];
  /** Order (0,1), (0,2), ... */
  readonly pairs: readonly BoardPair[];
  readonly replication: BoardReplication | null;
  readonly families: readonly string[];
  readonly tasks: number;
  readonly tasksPerFamily: Readonly<Record<string, number>>;
  readonly clusters: number;
  readonly resolvedPairs: number;
  /** Id of the model that beats all others significantly. */
  readonly topModel: string | null;
  readonly alpha: number;
  readonly bandCritical: number;
  readonly draws: number;
  readonly flips: number;
  readonly seed: string;
}

/** A field that is not what a release must hold. */
export function fieldError(file: string, path: string, expected: string, found: unknown) {
  return failure(
    'SCHEMA_INVALID',
    { file, path },
    `${expected} expected, found ${shown(found)}`,
    'Give a release as it was built.',
  );
}

/** Typed look-ups in an untrusted document; every failure names the field. */
export class Fields {
  constructor(
    readonly file: string,
    readonly path: string,
    readonly value: Json,
  ) {}

  private fail(key: string, expected: string): never {
    throw fieldError(this.file, this.at(key), expected, this.value[key]);
  }

  at(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`;
  }

  object(key: string): Fields {
    const value = this.value[key];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail(key, 'an object');
    return new Fields(this.file, this.at(key), value as Json);
  }

  optional(key: string): Fields | null {
    return this.value[key] === null || this.value[key] === undefined ? null : this.object(key);
  }

  objects(key: string): Fields[] {
    const value = this.value[key];
    if (!Array.isArray(value)) this.fail(key, 'a list');
    return (value as unknown[]).map((item, i) => {
      if (typeof item !== 'object' || item === null || Array.isArray(item))
        throw fieldError(this.file, `${this.at(key)}[${i}]`, 'an object', item);
      return new Fields(this.file, `${this.at(key)}[${i}]`, item as Json);
    });
  }

  text(key: string): string {
    const value = this.value[key];
    return typeof value === 'string' ? value : this.fail(key, 'a text');
  }

  number(key: string): number {
    const value = this.value[key];
    return typeof value === 'number' && Number.isFinite(value) ? value : this.fail(key, 'a number');
  }

  flag(key: string): boolean {
    const value = this.value[key];
    return typeof value === 'boolean' ? value : this.fail(key, 'true or false');
  }

  nullable<T>(key: string, read: () => T): T | null {
    return this.value[key] === null ? null : read();
  }

  /** Two numbers under the first of the keys that is there. */
  range(...keys: readonly string[]): Range {
    const key = keys.find((name) => this.value[name] !== undefined) ?? keys[0]!;
    const value = this.value[key];
    if (!Array.isArray(value) || value.length !== 2 || !value.every(Number.isFinite)) this.fail(key, 'two numbers');
    return [value[0] as number, value[1] as number];
  }

  numbers(key: string): Record<string, number> {
    const object = this.object(key);
    return Object.fromEntries(Object.keys(object.value).map((name) => [name, object.number(name)]));
  }
}

function chanceOf(fields: Fields): BoardChance {
  return {
    score: fields.number('exact_chance_score'),
    difference: fields.number('mean_difference'),
    interval: fields.range('bootstrap_95_ci', 'bootstrap_ci'),
    p: fields.number('sign_flip_p'),
    holm: fields.number('holm_p'),
    above: fields.flag('holm_significant_above_chance'),
  };
}

function modelOf(fields: Fields): BoardModel {
  const coverage = fields.object('coverage');
  const chance = fields.optional('chance_comparison');
  return {
    id: fields.text('model_id'),
    name: fields.text('model_name'),
    slot: fields.nullable('slot_id', () => fields.text('slot_id')),
    score: fields.number('flavourbench_score'),
    familyScores: fields.numbers('family_scores'),
    standardError: fields.number('score_standard_error'),
    pointwise: fields.range('score_pointwise_95_ci', 'score_pointwise_ci'),
    simultaneous: fields.range('score_simultaneous_95_ci', 'score_simultaneous_ci'),
    rank: fields.number('point_estimate_rank'),
    rankInterval: fields.range('bootstrap_rank_95_interval', 'bootstrap_rank_interval'),
    group: fields.number('statistical_rank_group'),
    valid: coverage.number('valid_scored'),
    scheduled: coverage.number('scheduled'),
    chance: chance && chanceOf(chance),
  };
}

const DIRECTIONS: readonly unknown[] = ['left_higher', 'right_higher', 'tie'];

function pairOf(fields: Fields): BoardPair {
  const direction = fields.text('direction');
  if (!DIRECTIONS.includes(direction))
    throw fieldError(fields.file, fields.at('direction'), 'left_higher, right_higher or tie', direction);
  return {
    left: fields.number('left_index'),
    right: fields.number('right_index'),
    difference: fields.number('mean_difference'),
    interval: fields.range('bootstrap_95_ci', 'bootstrap_ci'),
    dz: fields.nullable('cohen_dz', () => fields.number('cohen_dz')),
    p: fields.number('sign_flip_p'),
    holm: fields.number('holm_p'),
    significant: fields.flag('holm_significant'),
    direction: direction as BoardPair['direction'],
  };
}

function replicationOf(fields: Fields): BoardReplication {
  const panels = fields.value.panels as readonly string[];
  if (!Array.isArray(panels) || panels.length !== 2)
    throw fieldError(fields.file, fields.at('panels'), 'two panels', panels);
  const [first, second] = panels as [string, string];
  return {
    panels: [first, second],
    pearson: fields.nullable('score_pearson', () => fields.number('score_pearson')),
    spearman: fields.nullable('rank_spearman', () => fields.number('rank_spearman')),
    scores: fields.objects('models').map((model) => [model.number(first), model.number(second)]),
  };
}

/** Reads an `analysis` of any source. Errors: SCHEMA_INVALID with the field. */
export function readBoard(analysis: Fields): Board {
  const models = analysis.objects('models').map(modelOf);
  const inference = analysis.object('inference');
  const replication = analysis.optional('panel_replication');
  const first = analysis.objects('models')[0];
  if (!first) throw fieldError(analysis.file, analysis.at('models'), 'at least one model', []);
  const coverage = first.object('coverage');
  const seed = inference.value.seed;
  return {
    models,
    pairs: analysis.objects('pairwise_comparisons').map(pairOf),
    replication: replication && replicationOf(replication),
    families: familiesOf(models[0]!),
    tasks: coverage.number('scheduled'),
    tasksPerFamily: coverage.numbers('valid_scored_per_family'),
    clusters: inference.number('independent_cluster_count'),
    resolvedPairs: analysis.number('resolved_pair_count'),
    topModel: analysis.nullable('definitive_top_model_id', () => analysis.text('definitive_top_model_id')),
    alpha: inference.number('familywise_alpha'),
    bandCritical: inference.number('max_t_critical_value'),
    draws: inference.number('bootstrap_resamples'),
    flips: inference.number('permutation_resamples'),
    seed: typeof seed === 'number' ? String(seed) : inference.text('seed'),
  };
}

/** Canonical documents sort their keys, so the published order of families is put back. */
function familiesOf(model: BoardModel): string[] {
  const published = ['substitution', 'pairing', 'constraint'];
  const present = Object.keys(model.familyScores);
  return [
    ...published.filter((family) => present.includes(family)),
    ...present.filter((family) => !published.includes(family)),
  ];
}
