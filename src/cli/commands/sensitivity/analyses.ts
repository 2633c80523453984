import type { ScoreMatrix } from '../../../core/matrix.js';
import type { AnalysisReport } from '../../../sensitivity/report.js';
import { FlavourError } from '../../../util/error.js';
import type { SensitivityFlags, SensitivityInputs } from './inputs.js';

/** What an analysis found, before it becomes a document. */
export interface Finding {
  readonly plan: Readonly<Record<string, unknown>>;
  readonly results: object;
  readonly report: AnalysisReport;
  /** Seed of the draws; null where nothing is drawn. */
  readonly seed: bigint | null;
  readonly streams: Readonly<Record<string, number | string>>;
}

export interface AnalysisEntry {
  readonly name: string;
  readonly summary: string;
  run(inputs: SensitivityInputs, flags: SensitivityFlags): Promise<Finding>;
}

const DEFAULT_SEED = 20260820n;

/** Published seeds under numpy, ours under philox. */
function randomOf(flags: SensitivityFlags, published: bigint) {
  return {
    kind: flags.rng,
    seed: flags.seed ?? (flags.rng === 'numpy' ? published : DEFAULT_SEED),
  } as const;
}

const streamOf = (flags: SensitivityFlags, name: string, stream: number) =>
  flags.rng === 'numpy' ? {} : { [name]: stream };

async function precisionFinding(
  inputs: SensitivityInputs,
  flags: SensitivityFlags,
): Promise<Finding> {
  const { precision, PRECISION_STREAM } = await import('../../../sensitivity/precision.js');
  const { precisionReport } = await import('../../../sensitivity/precision-report.js');
  const matrix = await inputs.matrix();
  const strata = new Set(matrix.panels.map((panel, t) => `${panel}/${matrix.families[t]}`)).size;
  const sizes = flags.sizes ?? defaultSizes(matrix.tasks.length, strata);
  const draws = flags.draws ?? 5000;
  const random = randomOf(flags, 20260824n);
  const { openWasmSubsetTotals } = await import('../../../engine/wasm/subset.js');
  const results = precision({
    matrix,
    resolved: await inputs.resolved(),
    sizes,
    draws,
    random,
    totals: openWasmSubsetTotals(),
  });
  return {
    plan: { sizes, draws, rng: flags.rng },
    results: { sizes: results },
    report: precisionReport(results),
    seed: random.seed,
    streams: Object.assign(
      {},
      ...sizes.map((n) => streamOf(flags, `subsets_${n}`, PRECISION_STREAM + n)),
    ),
  };
}

/** The published sizes, or for a smaller matrix even shares of its strata. */
function defaultSizes(tasks: number, strata: number): number[] {
  const published = [30, 60, 90, 150, 270].filter((n) => n < tasks && n % strata === 0);
  if (published.length >= 3) return published;
  const each = Math.floor(tasks / strata);
  const shares = [0.1, 0.2, 0.35, 0.5, 0.75].map((share) => strata * Math.round(each * share));
  return [...new Set(shares)].filter((n) => n > 0 && n < tasks);
}

async function generalizabilityFinding(
  inputs: SensitivityInputs,
  flags: SensitivityFlags,
): Promise<Finding> {
  const { generalizability } = await import('../../../sensitivity/generalizability.js');
  const { generalizabilityReport } = await import(
    '../../../sensitivity/generalizability-report.js'
  );
  const results = generalizability({ matrix: await inputs.matrix(), target: flags.target });
  return {
    plan: { target: flags.target },
    results,
    report: generalizabilityReport(results),
    seed: null,
    streams: {},
  };
}

async function rosterFinding(inputs: SensitivityInputs): Promise<Finding> {
  const { rosterOmission } = await import('../../../sensitivity/roster.js');
  const { rosterReport } = await import('../../../sensitivity/roster-report.js');
  const pool = await inputs.pool();
  const { seed, strata } = inputs.core();
  const perStratum = strata[0]?.ids.length ?? 0;
  const results = rosterOmission({
    pool,
    panels: [...new Set(strata.map(({ panel }) => panel))],
    families: [...new Set(strata.map(({ family }) => family))],
    seed,
    perStratum,
  });
  return {
    plan: { selection_seed: seed, per_stratum: perStratum },
    results,
    report: rosterReport(results),
    seed: null,
    streams: {},
  };
}

async function filterFinding(inputs: SensitivityInputs, flags: SensitivityFlags): Promise<Finding> {
  const { filterComparison, FILTER_STREAM } = await import('../../../sensitivity/filter.js');
  const { filterReport } = await import('../../../sensitivity/filter-report.js');
  const { rosterOmission } = await import('../../../sensitivity/roster.js');
  const pool = await inputs.pool();
  const core = inputs.core();
  const panels = [...new Set(core.strata.map(({ panel }) => panel))];
  const families = [...new Set(core.strata.map(({ family }) => family))];
  const gateModel =
    flags.gateModel ??
    rosterOmission({
      pool,
      panels,
      families,
      seed: core.seed,
      perStratum: core.strata[0]?.ids.length ?? 0,
    }).most_influential;
  const tasks = pool.tasks.map(({ id }) => inputs.task(id));
  const random = randomOf(flags, 20260825n);
  const draws = flags.draws ?? 20_000;
  const results = filterComparison({
    pool,
    maps: tasks.map(({ scores }) => scores),
    chance: tasks.map(({ chance }) => chance),
    margin: tasks.map(({ margin }) => margin),
    selected: new Set(core.ids),
    gateModel,
    panels,
    families,
    draws,
    alpha: flags.alpha,
    random,
  });
  return {
    plan: { draws, gate_model: gateModel, alpha: flags.alpha, rng: flags.rng },
    results,
    report: filterReport(results),
    seed: random.seed,
    streams: streamOf(flags, 'subsets', FILTER_STREAM),
  };
}

async function metricsFinding(inputs: SensitivityInputs): Promise<Finding> {
  const { metricBoards } = await import('../../../sensitivity/metrics.js');
  const { metricsReport } = await import('../../../sensitivity/metrics-report.js');
  const { panelMajor } = await import('../../../sensitivity/board.js');
  const grid = await inputs.grid();
  const boards = metricBoards({
    models: grid.models,
    strata: panelMajor(await inputs.matrix()),
    maps: grid.tasks.map(({ scores }) => scores),
    chance: grid.tasks.map(({ chance }) => chance),
    actions: grid.actions,
  });
  return {
    plan: {},
    results: {
      metrics: boards.map(({ metric, values, agreement }) => ({
        metric,
        values: Object.fromEntries(grid.models.map((model, m) => [model, values[m] as number])),
        ...agreement,
      })),
    },
    report: metricsReport(grid.models, boards),
    seed: null,
    streams: {},
  };
}

/** models x families: mean over panels of the stratum means, in points. */
async function familyScores(matrix: ScoreMatrix): Promise<Float64Array> {
  const { boardScores, panelMajor } = await import('../../../sensitivity/board.js');
  const strata = panelMajor(matrix);
  const families = [...new Set(strata.map(({ family }) => family))];
  const out = new Float64Array(matrix.models.length * families.length);
  families.forEach((family, f) => {
    const own = strata.filter((stratum) => stratum.family === family);
    boardScores(matrix, own).forEach((score, m) => {
      out[m * families.length + f] = score;
    });
  });
  return out;
}

async function weightsFinding(inputs: SensitivityInputs): Promise<Finding> {
  const { familyWeights } = await import('../../../sensitivity/weights.js');
  const { weightsReport } = await import('../../../sensitivity/weights-report.js');
  const { boardScores, descending, panelMajor } = await import('../../../sensitivity/board.js');
  const matrix = await inputs.matrix();
  const results = familyWeights({ models: matrix.models, families: await familyScores(matrix) });
  const order = [...descending(boardScores(matrix, panelMajor(matrix)))];
  return {
    plan: { least_percent: 20, most_percent: 50, step_percent: 1 },
    results,
    report: weightsReport(
      results,
      order.map((m) => matrix.models[m] as string),
    ),
    seed: null,
    streams: {},
  };
}

async function checkpointsFinding(
  inputs: SensitivityInputs,
  flags: SensitivityFlags,
): Promise<Finding> {
  const { checkpointAgreement, CHECKPOINT_STREAM } = await import(
    '../../../sensitivity/checkpoints.js'
  );
  const { checkpointsReport } = await import('../../../sensitivity/checkpoints-report.js');
  const { createEngine } = await import('../../../engine/create.js');
  const { PORTFOLIOS } = await import('../../../tasks/task.js');
  const checkpoints = await inputs.checkpoints();
  const grid = await inputs.grid();
  const random = randomOf(flags, 20260826n);
  const draws = flags.draws ?? 20_000;
  const engine = await createEngine({});
  const results = await checkpointAgreement({
    matrix: await inputs.matrix(),
    maps: grid.tasks.map(({ id, family, panel, scores }) => ({
      id,
      family,
      panel,
      keys: PORTFOLIOS,
      scores,
      task: null,
    })),
    actions: grid.actions,
    checkpoints,
    draws,
    random,
    engine,
  }).finally(() => engine.close());
  return {
    plan: { checkpoints: checkpoints.map(({ name }) => name), draws, rng: flags.rng },
    results: { checkpoints: results },
    report: checkpointsReport(results),
    seed: random.seed,
    streams: streamOf(flags, 'anchors', CHECKPOINT_STREAM),
  };
}

async function substitutionsFinding(
  inputs: SensitivityInputs,
  flags: SensitivityFlags,
): Promise<Finding> {
  const { substitutionCheck, SUBSTITUTION_STREAMS } = await import(
    '../../../sensitivity/substitutions.js'
  );
  const { substitutionsReport } = await import('../../../sensitivity/substitutions-report.js');
  const { readSubstitutions } = await import('../../../sensitivity/substitution-events.js');
  const spaces = await inputs.spaces();
  if (flags.substitutionsTrain === undefined) {
    throw new FlavourError('USAGE', '--substitutions needs --substitutions-train', {
      hint: 'Pairs seen in training are what the novel pairs are told apart from.',
    });
  }
  const random = randomOf(flags, 20260826n);
  const draws = flags.draws ?? 50_000;
  const { coverage, results } = substitutionCheck({
    spaces,
    test: readSubstitutions(flags.substitutions as string),
    train: readSubstitutions(flags.substitutionsTrain),
    minGroup: flags.minGroup,
    draws,
    alpha: flags.alpha,
    random,
  });
  return {
    plan: { draws, min_group: flags.minGroup, alpha: flags.alpha, rng: flags.rng },
    results: { coverage, spaces: results },
    report: substitutionsReport(coverage, results),
    seed: random.seed,
    streams: {
      ...streamOf(flags, 'all', SUBSTITUTION_STREAMS.all),
      ...streamOf(flags, 'novel', SUBSTITUTION_STREAMS.novel),
    },
  };
}

/** Every analysis, in the order of the paper. */
export const ANALYSES: readonly AnalysisEntry[] = [
  {
    name: 'precision',
    summary: 'How stable the order is with fewer tasks.',
    run: precisionFinding,
  },
  {
    name: 'generalizability',
    summary: 'Where the variance lies, and tasks needed for a target coefficient.',
    run: generalizabilityFinding,
  },
  { name: 'roster', summary: 'Each model left out, the core selected anew.', run: rosterFinding },
  {
    name: 'filter',
    summary: 'Selected tasks against the rest of their pools.',
    run: filterFinding,
  },
  {
    name: 'metrics',
    summary: 'Gain over chance, action percentile, exact optimum.',
    run: metricsFinding,
  },
  { name: 'weights', summary: 'Every weighting of the three families.', run: weightsFinding },
  {
    name: 'checkpoints',
    summary: 'The same answers under other reward maps.',
    run: checkpointsFinding,
  },
  {
    name: 'substitutions',
    summary: 'Similarity against substitutions that people made.',
    run: substitutionsFinding,
  },
];
