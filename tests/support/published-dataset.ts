import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../src/io/digest.js';
import { type PyValue, parsePyJson, pyCanonical, pyDigest, pySealed } from '../../src/io/pyjson.js';
import { CORE_PLAN, RELEASE_JSON, TASK_SETS } from './released-files.js';
import { shared } from './shared.js';

type Row = { [key: string]: PyValue };
type Rows = readonly Row[];

const lines = (rows: Rows) => rows.map((row) => `${pyCanonical(row)}\n`).join('');
const tree = (path: string) => parsePyJson(readFileSync(path, 'utf8')) as Row;

/** Forms in which simulated models answer; the parser reads all of them. */
const FORMS = [
  (key: string) => `FINAL_SELECTION: ${[...key].join(', ')}`,
  (key: string) => `Compared all eight.\nFINAL_SELECTION: ${[...key].join(',')}\n`,
];

/** The rows of the released core, in its order, as the public data set has them. */
function coreRows(): Row[] {
  const byId = new Map<string, Row>();
  TASK_SETS().forEach((path, panel) => {
    for (const task of tree(path).tasks as Rows)
      byId.set(task.task_id as string, { ...task, release_panel: `panel_${panel + 1}` });
  });
  const ids = readFileSync(shared('golden/a/tasks.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).task_id as string);
  return ids.map((id) => byId.get(id)!);
}

function observations(tasks: ReadonlyMap<string, Row>): Row[] {
  return readFileSync(shared('golden/a/responses.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line, i) => {
      const { model_id, task_id, selection } = JSON.parse(line) as Record<string, string>;
      const task = tasks.get(task_id!)!;
      const bps = (task.selection_scores_bps as Row)[selection!] as number;
      const response = pySealed({
        schema_version: 'flavourbench-powered-response-v1',
        status: 'completed',
        panel: 'primary',
        plan_sha256: sha256('a plan'),
        endpoint_execution_sha256: sha256(model_id!),
        model_id: model_id!,
        model_name: model_id!,
        canonical_model_slug: model_id!,
        execution_backend: 'simulated',
        provider_route: 'simulated',
        started_at: '2026-01-01T00:00:00Z',
        recorded_at: '2026-01-01T00:00:01Z',
        task_id: task_id!,
        family: task.family as string,
        prompt_sha256: task.prompt_sha256 as string,
        generation: {
          answer_markdown: FORMS[i % FORMS.length]!(selection!),
          finish_reason: 'stop',
        },
      }) as Row;
      const name = `response-${sha256(`${model_id}${task_id}`)}-${response.artifact_sha256}.json`;
      return {
        release_panel: task.release_panel as string,
        source_path: `benchmark/powered/run/responses/primary/slot/${name}`,
        response_artifact_sha256: response.artifact_sha256 as string,
        release_scoring: {
          observed_selection: selection!,
          optimal_selection: task.optimal_selection as string,
          parseable: true,
          score_bps: bps,
          optimal: bps === 10000,
        },
        response,
      };
    });
}

/** The published document with the analysis of golden/a in it and the digests of its answers. */
function releaseDocument(observed: Rows): Row {
  const { artifact_sha256: _, ...published } = tree(RELEASE_JSON());
  const panel = (name: string) => {
    const digests = observed
      .filter((row) => row.release_panel === name)
      .map((row) => row.response_artifact_sha256 as string);
    return { count: digests.length, artifact_set_sha256: pyDigest(digests.sort()) };
  };
  return pySealed({
    ...published,
    analysis: tree(shared('golden/a/result.json')),
    inputs: {
      ...(published.inputs as Row),
      panel_1_responses: panel('panel_1'),
      panel_2_responses: panel('panel_2'),
    },
  }) as Row;
}

/**
 * A data set in the published layout (collection 3.8) made of the synthetic answers of golden/a, the released task sets and plan. The real
 * data set is not at hand; this has its form and none of its answers.
 */
export function writeDataset(dir: string): void {
  mkdirSync(dir, { recursive: true });
  const tasks = coreRows();
  const observed = observations(new Map(tasks.map((task) => [task.task_id as string, task])));
  const release = releaseDocument(observed);
  const analysis = release.analysis as Row;
  const models = analysis.models as Rows;
  const ranked = [...models].sort((a, b) => (a.point_estimate_rank as number) - (b.point_estimate_rank as number));
  const texts: Readonly<Record<string, string>> = {
    'release.json': `${pyCanonical(release)}\n`,
    'analysis_plan.json': readFileSync(CORE_PLAN(), 'utf8'),
    'models.jsonl': lines(models.map((model) => ({ ...model, route: { backend: 'simulated' } }))),
    'tasks.jsonl': lines(tasks),
    'primary_observations.jsonl': lines(observed),
    'leaderboard.jsonl': lines(ranked),
    'pairwise_comparisons.jsonl': lines(analysis.pairwise_comparisons as Rows),
  };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(dir, name), text);
  writeManifest(dir, Object.keys(texts));
}

/** DATA_MANIFEST.json over the files as they now lie. */
export function writeManifest(dir: string, names: readonly string[]): void {
  const files = names.map((name) => {
    const bytes = readFileSync(join(dir, name));
    const rows = name.endsWith('.jsonl') ? { rows: bytes.toString().split('\n').length - 1 } : {};
    return { name, bytes: bytes.length, sha256: sha256(bytes), ...rows };
  });
  const schema_version = 'flavourbench-hf-complete-core-dataset-manifest-v1';
  writeFileSync(join(dir, 'DATA_MANIFEST.json'), `${pyCanonical(pySealed({ schema_version, files }) as PyValue)}\n`);
}
