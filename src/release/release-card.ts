import { protocolWords } from '../collect/asked.js';
import type { Protocol } from '../collect/protocol.js';
import { type Decoding, decodingWords } from '../core/decoding.js';
import { byRank, rankText } from '../inference/model-ranks.js';
import { isFrozen } from '../inference/plan.js';
import type { Inference } from '../inference/result.js';
import { type Standing, standingWords } from '../inference/standing.js';
import { fixed, thousands } from '../util/format.js';
import { hubLicence } from '../util/hub-licence.js';
import type { CandidateCells } from './candidate-cells.js';
import { simulatedNotice } from './names.js';
import { RELEASE_FILES, type ReleaseRules } from './release-files.js';
import type { ReleaseTitle } from './statement.js';
import { LIMITS } from './statement.js';

export interface CardOptions {
  /** The rules that the release is made by. */
  readonly rules: ReleaseRules;
  readonly title: ReleaseTitle;
  /** Null where the answers state none; absent in a release that does not say. */
  readonly protocol?: Protocol | null;
  readonly decoding: Decoding;
  /** How the leaderboard stands to a plan; absent in a release that does not say. */
  readonly standing?: Standing;
  readonly inference: Inference;
  readonly candidates: CandidateCells;
  readonly resultsSha256: string;
  /** Ids of the ranked models that a formula answered for. */
  readonly simulated: ReadonlySet<string>;
  /** Whether a core plan says which tasks are ranked. */
  readonly hasCore: boolean;
  readonly journals: number;
  readonly analyses: readonly string[];
}

/** Text of people, safe inside Markdown and a table. */
function safe(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').replace(/[|\\`*_<>[\]]/g, '\\$&');
}

/** Files of every release; the core's own where there is one. */
const files = (hasCore: boolean): readonly (readonly [string, string])[] => [
  [RELEASE_FILES.release, 'what was released, from what, by digest'],
  [RELEASE_FILES.tasks, 'task sets with prompts, choices and the score of all 56 answers'],
  ...(hasCore ? [[RELEASE_FILES.core, 'the frozen core: which tasks are ranked, and by which rule'] as const] : []),
  [RELEASE_FILES.roster, 'ranked models and the routes they were asked by'],
  [
    `${RELEASE_FILES.observations}, .arrow, .parquet`,
    'every candidate answer: raw text, finish reason, usage, latency, route, digest',
  ],
  [RELEASE_FILES.validity, `status and parse bit of every candidate cell${hasCore ? ': all that chose the core' : ''}`],
  [`${RELEASE_FILES.matrix}, .parquet`, 'the score matrix, integers in basis points'],
  [RELEASE_FILES.inference, 'scores, intervals, tests, ranks and groups, with plan and seed'],
  [
    `${RELEASE_FILES.leaderboard}, ${RELEASE_FILES.pairwise}`,
    'the same as tables; .arrow and .parquet twins: models, pairs, replication',
  ],
  [RELEASE_FILES.cases, 'one task a family, chosen by hash, with raw answers'],
  [RELEASE_FILES.manifest, 'every file with size and digest'],
];

/** How models were asked, with the digest that proves it. */
function asked(protocol: Protocol | null): string {
  const words = protocolWords(protocol);
  return protocol === null ? words : `${words} Its texts have the digest \`${protocol.sha256}\`.`;
}

/** Writes the release card: README.md, with the header that dataset hubs read. */
export function releaseCard(options: CardOptions): string {
  const { title, protocol, decoding, standing, inference, candidates, simulated, hasCore } = options;
  const ranked = byRank(inference.models);
  const families = Object.entries(inference.tasksPerFamily).map(([f, n]) => `${safe(f)} ${thousands(n)}`);
  const { plan } = inference;
  const frozen = isFrozen(plan);
  const nameOf = ({ name }: { readonly name: string }) => safe(name);
  const formulas = ranked.filter(({ modelId }) => simulated.has(modelId));
  const notice = simulatedNotice({ models: ranked.length, names: formulas.map(nameOf) });
  const mark = (id: string) => (simulated.has(id) && formulas.length < ranked.length ? ' (simulated)' : '');
  const one = (value: number) => fixed(value, 2);
  const analyses = options.analyses
    .filter((name) => name.endsWith('.json'))
    .map((name) => safe(name.slice(RELEASE_FILES.analyses.length, -'.json'.length)));
  return `${[
    '---',
    `pretty_name: ${JSON.stringify(title.benchmark)}`,
    ...(options.rules === 1 ? [`license: ${JSON.stringify(title.licence)}`] : hubLicence(title.licence)),
    'configs:',
    '- config_name: observations',
    `  data_files: ${RELEASE_FILES.observationsParquet}`,
    '- config_name: scores',
    `  data_files: ${RELEASE_FILES.matrixParquet}`,
    '- config_name: leaderboard',
    `  data_files: ${RELEASE_FILES.modelsParquet}`,
    '- config_name: pairs',
    `  data_files: ${RELEASE_FILES.pairsParquet}`,
    '---',
    '',
    `# ${safe(title.benchmark)}`,
    '',
    `${safe(title.track)}. ${safe(title.claim)}.`,
    ...(notice === null ? [] : ['', `**${notice}**`]),
    ...(protocol === undefined ? [] : ['', asked(protocol)]),
    ...(Object.keys(decoding).length === 0 ? [] : ['', decodingWords(decoding)]),
    ...(standing === undefined ? [] : ['', safe(standingWords(standing))]),
    '',
    `${thousands(ranked.length)} models, ${thousands(inference.tasks)} ranked tasks (${families.join(', ')}), ${thousands(inference.clusters)} clusters, ${thousands(candidates.ordered.length)} answers. ${thousands(inference.resolvedPairs)} of ${thousands(inference.pairs.length)} pairs are told apart at a familywise error of ${plan.alpha}.`,
    '',
    `| rank | model | score | simultaneous interval | ${frozen ? 'rank interval | group' : 'rank set | letters'} |`,
    `| ---: | --- | ---: | :---: | :---: | ${frozen ? '---:' : '---'} |`,
    ...ranked.map(
      (model) =>
        `| ${rankText(model)} | ${nameOf(model)}${mark(model.modelId)} | ${one(model.score)} | ${model.simultaneous.map(one).join(' to ')} | ${frozen ? `${model.rankInterval.join(' to ')} | ${model.group}` : `${model.rankSet?.join(' to ') ?? ''} | ${model.letters ?? ''}`} |`,
    ),
    '',
    `Scores are the mean over strata (${plan.strata}) of mean points, 0 to 100. ${thousands(plan.draws)} bootstrap draws of clusters, ${thousands(plan.flips)} sign flips, ${plan.multiplicity === 'max-t' ? 'max-T' : 'Holm'} over all pairs, seed ${plan.seed}, generator ${plan.rng}. ${frozen ? 'Models of one group are not told apart.' : 'Two models that share a letter are not told apart, which is not the same as equal; a rank set holds the ranks that the data allow, for all models at once.'}`,
    '',
    '## Files',
    '',
    '| file | content |',
    '| --- | --- |',
    ...files(hasCore).map(([name, what]) => `| \`${name}\` | ${what} |`),
    ...(options.journals > 0
      ? ['| `attempts*.jsonl` | every attempt, chained line by line; lines about locks have no content |']
      : []),
    ...(analyses.length > 0
      ? [`| \`${RELEASE_FILES.analyses}\` | documents, tables and figures: ${analyses.join(', ')} |`]
      : []),
    '',
    '## Verify',
    '',
    '    flavourbench release verify FOLDER --expect DIGEST',
    '',
    `Every answer is parsed and scored again, ${hasCore ? 'the core selected again, ' : ''}all inference run again. \`DIGEST\` is the address of the release (that of MANIFEST.json) or that of release.json. The results in ${RELEASE_FILES.inference} have the digest \`${options.resultsSha256}\`.`,
    '',
    'Verification cannot show:',
    '',
    ...LIMITS.map((limit) => `- ${limit};`),
    '',
    `Licence: ${safe(title.licence)}.`,
  ].join('\n')}\n`;
}
