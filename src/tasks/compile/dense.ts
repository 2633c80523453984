import { MAP_STATUS, type MapKernels } from '../../engine/maps.js';
import type { Environment } from '../../environment/environment.js';
import type { Shares } from '../../shares/ranged-work.js';
import { portfolioKeys } from './assemble-tasks.js';
import type { CompileDesign } from './compile-design.js';
import { checkDesign } from './design-file.js';
import type { Candidate } from './family.js';
import { generate } from './generate.js';
import { releasedSource } from './released-source.js';
import { scoreAsFound } from './score.js';

/** One map of the dense set. Choices stand in the order their rule found them, so this is data to study, not a task to ask. */
export interface DenseMap {
  readonly task_id: string;
  readonly family: string;
  readonly anchor_ingredient: string;
  readonly primary_category: string;
  readonly constraint_variant: string | null;
  readonly maximum_nova: number | null;
  readonly target_region: string | null;
  readonly choices: readonly string[];
  readonly scores: Uint16Array;
  readonly optimal_selection: string;
  /** Portfolios that score 10000. */
  readonly optima: number;
  readonly chance_score_bps: number;
  readonly optimal_margin_bps: number;
  readonly difficulty: number;
}

export interface DenseMaps {
  readonly keys: readonly string[];
  readonly maps: readonly DenseMap[];
  /** Anchors and variants turned down before scoring, and maps turned down after it, by rule. */
  readonly rejected: Readonly<Record<string, number>>;
}

interface DenseRequest {
  readonly environment: Environment;
  readonly kernels: MapKernels;
  readonly design: CompileDesign;
  /** Who scores which ranges of the candidates; all are scored here unless given. */
  readonly shares?: Shares | undefined;
}

function idOf(family: string, { anchor, variant }: Candidate): string {
  const tail = variant ? `-${variant.flag}-${variant.nova}` : '';
  return `fb-dense-${family}-${anchor.name}${tail}`;
}

/** Maps every candidate of every eligible anchor: no strata, no caps, no selection. Errors: TAGS_MISSING, DESIGN_INVALID. */
export function denseMaps(request: DenseRequest): DenseMaps {
  const { environment, kernels, design } = request;
  checkDesign(design);
  const source = releasedSource({ environment, kernels, design });
  const keys = portfolioKeys(design.choices, design.select);
  const rejected: Record<string, number> = {};
  const reject = (rule: string): void => {
    rejected[rule] = (rejected[rule] ?? 0) + 1;
  };
  const out: DenseMap[] = [];
  for (const { family, candidates, rejections } of generate(source)) {
    for (const { rule } of rejections) reject(rule);
    const maps = scoreAsFound(source, family, candidates, request.shares);
    for (const [t, candidate] of candidates.entries()) {
      const status = maps.status[t];
      if (status === MAP_STATUS.FEW_FEASIBLE || status === MAP_STATUS.FLAT) {
        reject(status === MAP_STATUS.FLAT ? 'flat' : 'few_feasible');
        continue;
      }
      out.push({
        task_id: idOf(family.id, candidate),
        family: family.id,
        anchor_ingredient: candidate.anchor.name,
        primary_category: candidate.anchor.category,
        constraint_variant: candidate.variant?.flag ?? null,
        maximum_nova: candidate.variant?.nova ?? null,
        target_region: candidate.region,
        choices: candidate.choices.map(({ name }) => name),
        scores: maps.scores.slice(t * keys.length, (t + 1) * keys.length),
        optimal_selection: keys[maps.optimal[t]!]!,
        optima: maps.optima[t]!,
        chance_score_bps: maps.chance[t]!,
        optimal_margin_bps: maps.margin[t]!,
        difficulty: candidate.difficulty,
      });
    }
  }
  return { keys, maps: out, rejected };
}
