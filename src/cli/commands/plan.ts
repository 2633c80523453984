import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { planJsonSchema, readPlan } from '../../collect/collection-plan.js';
import { type Collection, compilePlan } from '../../collect/compile-plan.js';
import { forecastCost } from '../../collect/forecast.js';
import { FROZEN_PLAN_SCHEMA, readFrozenPlan } from '../../collect/frozen-plan.js';
import { microsToUsd } from '../../collect/money.js';
import { capsOf } from '../../collect/plan-share.js';
import { protocolOf } from '../../collect/protocol.js';
import type { Route } from '../../collect/route.js';
import { buildSchedule } from '../../collect/schedule.js';
import { assertComparable } from '../../core/comparable.js';
import { decodingOf } from '../../core/decoding.js';
import { canonicalJson } from '../../io/canonical.js';
import { readText, writeOnce } from '../../io/file.js';
import { readJson } from '../../io/read-file.js';
import { PUBLISHED_MANIFEST_SCHEMA, readRouteManifest } from '../../published/route-manifest.js';
import { FlavourError, fail, shown } from '../../util/error.js';
import { shellWord } from '../../util/text.js';
import { oldSpelling } from '../old-spelling.js';
import { plain, printJson, printLine, printTable } from '../print.js';
import { forceOption, writeFiles } from '../write-output.js';

interface ManifestFlags {
  readonly expect?: string;
  readonly json?: boolean;
}

/** Runs `plan manifest`: proves a manifest of either kind. Errors: SCHEMA_INVALID for any other document. */
export function manifest(file: string, flags: ManifestFlags): void {
  const document = readJson(file) as {
    readonly schema?: unknown;
    readonly schema_version?: unknown;
  };
  const schema = document?.schema ?? document?.schema_version;
  if (schema === FROZEN_PLAN_SCHEMA) showFrozen(file, flags);
  else if (schema === PUBLISHED_MANIFEST_SCHEMA) showPublished(file, flags);
  else
    fail(
      'SCHEMA_INVALID',
      { file, path: 'schema' },
      `schema ${shown(schema)} is no manifest`,
      `Give the manifest that \`plan compile\` wrote (${FROZEN_PLAN_SCHEMA}), or the published one (${PUBLISHED_MANIFEST_SCHEMA}).`,
    );
}

function showFrozen(file: string, { expect, json }: ManifestFlags): void {
  const found = readFrozenPlan(file, expect);
  if (json) {
    printJson(found);
    return;
  }
  printTable(
    ['model', 'must answer as', 'transport', 'pinned', 'tag or revision', 'provider', 'execution'],
    found.routes.map((route) => [
      route.model_id,
      route.expected_model ?? '-',
      route.transport,
      route.rank_eligible ? 'yes' : `no: ${route.ineligible_reason}`,
      route.provider_tag ?? route.revision ?? '-',
      route.expected_provider ?? '-',
      route.endpoint_execution_sha256.slice(0, 12),
    ]),
  );
  const pinned = found.routes.filter(({ rank_eligible }) => rank_eligible).length;
  printLine(plain(`OK: ${found.routes.length} routes, ${pinned} pinned, plan ${found.name}, ${found.artifact_sha256}`));
}

function showPublished(file: string, { expect, json }: ManifestFlags): void {
  const found = readRouteManifest(file, expect);
  if (json) {
    printJson(found);
    return;
  }
  printTable(
    ['slot', 'model', 'must answer as', 'backend', 'tag', 'provider', 'execution'],
    found.routes.map((route) => [
      route.slot_id,
      route.model_id,
      route.canonical_model_slug,
      route.backend,
      route.provider_tag,
      route.provider_name,
      route.endpoint_execution_sha256.slice(0, 12),
    ]),
  );
  printLine(plain(`OK: ${found.routes.length} pinned routes, ${found.role}, ${found.sha256}`));
}

function fixture(name: string): string {
  return fileURLToPath(new URL(`../../../fixtures/plans/${name}`, import.meta.url));
}

/** Reads and freezes a plan file; paths in it are relative to its folder. */
export function loadCollection(file: string, allowUnpinned: boolean): Collection {
  return compilePlan({ plan: readPlan(file), folder: dirname(file), file, allowUnpinned });
}

/** The fixture speaks of `plan.yaml`; a user's plan speaks of itself. */
function planText(name: string, file: string): string {
  return readText(fixture(name)).replaceAll('plan.yaml', () => plain(shellWord(file)));
}

async function init(
  named: string | undefined,
  options: { readonly roster27?: boolean; readonly out?: string; readonly force?: boolean; readonly json?: boolean },
): Promise<void> {
  if (named !== undefined && options.out !== undefined)
    fail('USAGE', null, `two places for the plan: ${named} and --out ${options.out}`, 'Give one of them.');
  const file = named ?? options.out ?? 'plan.yaml';
  const data = planText(options.roster27 ? 'roster-27.yaml' : 'start.yaml', file);
  await writeFiles([{ path: file, data }], { replace: options.force === true });
  const plan = readPlan(file);
  const unpermitted = plan.models.flatMap((model) =>
    model.transport !== 'simulated' && model.requires_permission && !model.permission ? [model.id] : [],
  );
  const wanted = plan.task_sets.map(({ path }) => join(dirname(file), path)).filter((path) => !existsSync(path));
  if (options.json) {
    printJson({ file, task_sets_missing: wanted, permissions_missing: unpermitted });
    return;
  }
  printLine(plain(`wrote ${file}`));
  if (options.roster27 && wanted.length > 0)
    printLine(plain(`it asks the tasks of ${wanted.join(' and ')}: put the two panels there`));
  else
    for (const path of wanted)
      printLine(
        plain(
          `it asks the tasks of ${path}; to make some:  flavourbench compile --env pantry --seed first-run --out ${shellWord(path)}`,
        ),
      );
  for (const id of unpermitted)
    printLine(
      plain(`${id} may be asked only under a written permission of yours: fill in its \`permission\`, or leave it out`),
    );
  const then = options.roster27 ? 'then' : 'put your models in, then';
  printLine(plain(`${then}:  flavourbench plan check ${shellWord(file)}`));
}

/** What holds a route to one endpoint: the tag of a provider, the revision of local weights, the name it must answer as. */
function pinOf({ transport, provider_tag, revision, expected_model }: Route): string {
  if (transport === 'simulated') return '-';
  if (provider_tag !== null) return `provider ${provider_tag}`;
  if (revision !== null) return `revision ${revision}`;
  return expected_model === null ? '-' : `model ${expected_model}`;
}

/** Says why the models of a plan will never be compared with one another, before anybody pays for their answers; undefined where they will. */
function notCompared(routes: readonly Route[]): string | undefined {
  const cells = routes.map(({ model_id, protocol, decoding, extra_body }) => {
    const asked = { protocol: protocolOf(protocol) };
    return [model_id, new Map([['', { asked, decoding: decodingOf(decoding, extra_body), prompt: '' }]])] as const;
  });
  try {
    assertComparable(new Map(cells));
    return undefined;
  } catch (error) {
    if (error instanceof FlavourError) return error.message;
    throw error;
  }
}

function check(file: string, options: { readonly allowUnpinned?: boolean; readonly json?: boolean }): void {
  const collection = loadCollection(file, options.allowUnpinned ?? false);
  const { frozenPlan, routes, phases } = collection;
  const jobs = buildSchedule(collection);
  const forecast = forecastCost({ jobs, capMicros: capsOf(collection).micros });
  const apart = notCompared(routes);
  if (options.json) {
    printJson({
      manifest_sha256: frozenPlan.artifact_sha256,
      provider_calls_made: 0,
      rank_eligible: frozenPlan.rank_eligible,
      phases,
      forecast,
      ...(apart === undefined ? {} : { not_compared: apart }),
    });
    return;
  }
  const cost = new Map(forecast.rows.map((row) => [row.model_id, row]));
  printTable(
    ['model', 'transport', 'pinned', 'pinned to', 'effort', 'cells', 'low USD', 'ceiling USD'],
    routes.map((route) => {
      const row = cost.get(route.model_id);
      return [
        plain(route.model_id),
        route.transport,
        route.rank_eligible ? 'yes' : `no: ${route.ineligible_reason}`,
        plain(pinOf(route)),
        route.effort,
        row?.cells ?? 0,
        microsToUsd(row?.low_micros ?? 0),
        microsToUsd(row?.ceiling_micros ?? 0),
      ];
    }),
  );
  printLine(`manifest ${frozenPlan.artifact_sha256}`);
  printLine(
    `${forecast.cells} cells in ${phases.join(', ')}; between ${forecast.low_usd} and ${forecast.ceiling_usd} USD, cap ${forecast.cap_usd} USD; no call was made`,
  );
  if (apart !== undefined) printLine(plain(`a core takes some of these models only: ${apart}`));
  if (!forecast.low_fits) printLine('the cap is below the lowest cost: the run will stop early');
  else if (!forecast.ceiling_fits) printLine('the cap is below the ceiling: long replies may stop the run early');
}

function compile(
  file: string,
  options: { readonly out: string; readonly allowUnpinned?: boolean; readonly json?: boolean },
): void {
  const { frozenPlan } = loadCollection(file, options.allowUnpinned ?? false);
  const path = join(options.out, `manifest-${frozenPlan.artifact_sha256}.json`);
  writeOnce(path, `${canonicalJson(frozenPlan)}\n`, 0o600);
  if (options.json) printJson({ file: path, manifest_sha256: frozenPlan.artifact_sha256 });
  else printLine(path);
}

const ALLOW = 'accept routes that could silently change; their answers are never ranked';

/** Adds `plan` and its subcommands. */
export function register(program: Command): void {
  const plan = program.command('plan').description('Write, check and freeze a collection plan; no call is made.');
  plan
    .command('init')
    .description('Write a commented plan.')
    .argument('[file]', 'plan file (default: plan.yaml)')
    .option('--roster-27', "the published leaderboard's 27 routes")
    .option('--out <file>', 'the same as FILE')
    .addOption(forceOption())
    .option('--json', 'print JSON')
    .action(init);
  plan
    .command('check')
    .description('Validate a plan and forecast its cost.')
    .argument('<plan>', 'plan file, YAML or JSON')
    .option('--allow-unpinned', ALLOW)
    .option('--json', 'print JSON')
    .action(check);
  const freeze = plan
    .command('compile')
    .description('Freeze a plan into its content-addressed manifest.')
    .argument('<plan>', 'plan file, YAML or JSON')
    .option('-o, --out <folder>', 'folder of the manifest', '.')
    .option('--allow-unpinned', ALLOW)
    .option('--json', 'print JSON')
    .action(compile);
  oldSpelling(freeze, '--output <folder>', 'out');
  plan
    .command('manifest')
    .description('Prove a manifest of routes, ours or the published one: digest, flags, pinning of every route.')
    .argument('<file>', 'manifest that `plan compile` wrote, or the published one, named by its digest')
    .option('--expect <sha256>', 'digest it must have')
    .option('--json', 'print JSON')
    .action(manifest);
  plan
    .command('schema')
    .description('Print the JSON Schema of a plan.')
    .option('--json', 'as it is: a schema is JSON')
    .action(() => printJson(planJsonSchema()));
}
