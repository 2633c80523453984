import { type Command, InvalidArgumentError, Option } from 'commander';
import { protocolWords } from '../../../collect/asked.js';
import { assertComparable, assertOneEnvironment } from '../../../core/comparable.js';
import { coreDocument } from '../../../core/core-document.js';
import { decodingWords } from '../../../core/decoding.js';
import { type ChosenCells, type LedgerSource, modelsOf, openSources } from '../../../core/ledger-records.js';
import { readRoster } from '../../../core/model-roster.js';
import { assertRankable, mixedBlocks, unpinnedModels } from '../../../core/rankable.js';
import { type CoreSelection, type EligibleTasks, eligibleTasks, selectCore } from '../../../core/select-core.js';
import { outlines } from '../../../core/task-outline.js';
import { validityArrow, validityOf } from '../../../core/validity.js';
import { canonicalJson } from '../../../io/canonical.js';
import { readInput } from '../../../io/file.js';
import type { Phase } from '../../../ledger/cell-key.js';
import { countInspections } from '../../../ledger/inspection.js';
import { DEFAULT_PARSER, SET_PARSERS, type SetParser } from '../../../responses/parser.js';
import { parserFields } from '../../../responses/parser-contract.js';
import { requiredFamilies } from '../../../tasks/task.js';
import { readTaskFiles } from '../../../tasks/task-files.js';
import type { TaskFiles } from '../../../tasks/taskset.js';
import { fail, shown } from '../../../util/error.js';
import { counted } from '../../../util/format.js';
import { oldSpelling } from '../../old-spelling.js';
import { countOption, phaseOption } from '../../options.js';
import { plain, printJson, printLine, printTable } from '../../print.js';
import { forceOption, writeResult } from '../../write-output.js';
import { chooseCells, type LeftOut, leftOutWords } from './asked-alike.js';

interface FreezeFlags {
  readonly ledger: readonly string[];
  readonly tasks: readonly string[];
  readonly seed: string;
  readonly perStratum: number | 'auto';
  readonly onlyFamilies?: readonly string[];
  readonly roster?: string;
  readonly phase: Phase;
  readonly parser?: SetParser;
  readonly out: string;
  readonly validity?: string;
  readonly explain?: boolean;
  readonly protocol?: string;
  readonly decoding?: readonly string[];
  readonly allowMixedRoutes?: boolean;
  readonly allowUnpinned?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

function sizeOption(text: string): number | 'auto' {
  if (text === 'auto') return 'auto';
  if (!/^[\d_,e]+$/i.test(text) || /^0*$/.test(text))
    throw new InvalidArgumentError('A whole number of at least 1, or auto, is expected.');
  return countOption(text);
}

/** Families to rank, in the order of the plan. */
function familiesOf(flags: FreezeFlags, panels: ReturnType<typeof outlines>): string[] {
  if (flags.onlyFamilies === undefined)
    return requiredFamilies([...panels.values()].flat().map(({ family }) => family));
  const named = flags.onlyFamilies.flatMap((text) => text.split(','));
  const twice = named.find((family, i) => named.indexOf(family) !== i);
  if (twice === undefined) return named;
  fail('USAGE', null, `--only-families names ${shown(twice)} twice`, 'Name each family once.');
}

async function rosterOf(flags: FreezeFlags, sources: readonly LedgerSource[]): Promise<string[]> {
  if (flags.roster === undefined) return modelsOf(sources, flags.phase);
  const entries = await readRoster(readInput(flags.roster), flags.roster);
  return entries.map((entry) => entry.modelId);
}

/** A core over nobody, or over a name that no ledger knows, would be complete or empty for the wrong reason. */
function assertRecorded(chosen: ChosenCells, { phase, roster, protocol, decoding }: FreezeFlags): void {
  const absent = [...chosen].find(([, row]) => row.size === 0)?.[0];
  if (chosen.size > 0 && absent === undefined) return;
  const who = absent === undefined ? 'any model' : `model ${absent}`;
  fail(
    'MODEL_UNKNOWN',
    roster === undefined ? null : { file: roster },
    `the ledgers hold no record of ${who} to these tasks in phase ${phase}${protocol === undefined ? '' : ` under protocol ${protocol}`}${decoding === undefined ? '' : ` with ${decoding.join(', ')}`}`,
    'Check --phase, --tasks, --protocol, --decoding and --roster; `ledger status DIR` lists what a ledger holds.',
  );
}

function provenance(options: {
  readonly sources: readonly LedgerSource[];
  readonly chosen: ChosenCells;
  readonly files: TaskFiles;
  readonly phase: Phase;
  readonly alike: ReturnType<typeof assertComparable>;
  readonly leftOut: readonly LeftOut[];
  readonly parser: SetParser;
}) {
  const { sources, chosen, files, phase, leftOut, parser } = options;
  const { protocol, decoding } = options.alike;
  const drawnOtherwise = leftOut.flatMap((one) =>
    one.decoding === undefined ? [] : [{ model_id: one.model_id, decoding: one.decoding }],
  );
  const records = [...chosen.values()].flatMap((row) => [...row.values()]);
  const panels = new Map<string, string[]>();
  for (const { entry } of records) {
    const list = panels.get(entry.panel);
    if (list) list.push(entry.record_sha256);
    else panels.set(entry.panel, [entry.record_sha256]);
  }
  return {
    ledgers: sources.map(({ view }, source) => {
      const used = records.filter((record) => record.source === source);
      return {
        journal_head: view.scan.chain,
        records: view.files.size,
        cells: used.length,
        simulated: used.some(({ entry }) => entry.source === 'simulated'),
        scores_inspected: countInspections(view),
      };
    }),
    task_sets: files.sets.map((set) => ({
      panel: set.panel,
      physical_sha256: set.physicalSha256,
      task_set_sha256: set.taskSetSha256 ?? null,
    })),
    protocol,
    left_out_by_protocol: leftOut.flatMap((one) =>
      one.decoding === undefined ? [{ model_id: one.model_id, protocol_sha256: one.protocol?.sha256 ?? null }] : [],
    ),
    ...(Object.keys(decoding).length === 0 ? {} : { decoding }),
    ...(drawnOtherwise.length === 0 ? {} : { left_out_by_decoding: drawnOtherwise }),
    ...parserFields(parser),
    phase,
    records: panels,
    mixed_contracts: mixedBlocks(chosen),
    unpinned_model_ids: unpinnedModels(chosen),
  };
}

function printSelection(selection: CoreSelection): void {
  printTable(
    ['panel', 'family', 'candidates', 'complete', 'selected', 'costs most'],
    selection.strata.map(({ panel, family, candidates, available, selected, costs }) => [
      panel,
      family,
      candidates,
      available,
      selected.length,
      costs[0] ? `${costs[0].model_id} ${costs[0].invalid} (${costs[0].alone} alone)` : '-',
    ]),
  );
}

/** Which model costs which tasks; printed before anything can fail for want of them. */
function printCosts(strata: readonly EligibleTasks[]): void {
  for (const { panel, family, costs } of strata) {
    for (const { model_id, invalid, alone, task_ids } of costs) {
      printLine(plain(`${panel} ${family}: ${model_id} costs ${invalid}, ${alone} alone: ${task_ids.join(' ')}`));
    }
  }
}

async function freeze(flags: FreezeFlags): Promise<void> {
  const files = readTaskFiles(flags.tasks);
  assertOneEnvironment(files.sets);
  const sources = openSources(flags.ledger);
  const roster = await rosterOf(flags, sources);
  const panels = outlines(files);
  const families = familiesOf(flags, panels);
  const tasks = [...panels.values()].flat();
  const { phase, parser = DEFAULT_PARSER } = flags;
  const { chosen, leftOut } = chooseCells({ sources, models: roster, tasks, phase, parser }, flags);
  const models = [...chosen.keys()];
  assertRecorded(chosen, flags);
  const alike = assertComparable(chosen);
  const { protocol, decoding } = alike;
  const facts = provenance({ sources, chosen, files, phase, alike, leftOut, parser });
  assertRankable({
    mixed: facts.mixed_contracts,
    unpinned: facts.unpinned_model_ids,
    allowMixedRoutes: flags.allowMixedRoutes ?? false,
    allowUnpinned: flags.allowUnpinned ?? false,
  });
  const matrices = [...panels].map(([panel, list]) => validityOf({ panel, models, tasks: list, chosen }));
  if (flags.validity !== undefined) {
    const data = validityArrow({ matrices, chosen, phase });
    await writeResult({
      path: flags.validity,
      name: 'validity.arrow',
      data,
      force: flags.force ?? false,
    });
  }
  const { seed, perStratum } = flags;
  if (flags.explain && !flags.json) printCosts(eligibleTasks({ matrices, families, seed }));
  const selection = selectCore({ matrices, families, seed, perStratum });
  const document = coreDocument({ selection, matrices, families, provenance: facts });
  const { path, added } = await writeResult({
    path: flags.out,
    name: 'core.json',
    data: `${canonicalJson(document)}\n`,
    force: flags.force ?? false,
  });
  if (flags.json) {
    const { left_out_by_protocol, left_out_by_decoding = [] } = facts;
    const left = { left_out_by_protocol, left_out_by_decoding };
    printJson({ path, added, artifact_sha256: document.artifact_sha256, protocol, decoding, ...left, selection });
    return;
  }
  printSelection(selection);
  const size = selection.strata.length * selection.perStratum;
  printLine(
    `${counted(models.length, 'model')} x ${counted(size, 'task')}, ${selection.perStratum} a stratum (${selection.setBy}); ${added ? 'wrote' : 'unchanged'} ${path}`,
  );
  printLine(`answers read with parser ${parser}`);
  printLine(`core ${document.artifact_sha256}`);
  printLine(protocolWords(protocol));
  if (Object.keys(decoding).length > 0) printLine(plain(decodingWords(decoding)));
  for (const one of leftOut) printLine(plain(leftOutWords(one)));
  if (facts.ledgers.some((l) => l.scores_inspected > 0))
    printLine('scores_inspected: scores of these ledgers were looked at before this freeze');
  if (facts.ledgers.some((l) => l.simulated)) printLine('SIMULATED answers among the records');
}

/** Adds `core freeze`. */
export function registerFreeze(core: Command): void {
  const frozen = core
    .command('freeze')
    .description('Freeze a complete common core: by status and parse bits alone, in hash order.')
    .requiredOption('--ledger <dirs...>', 'ledgers, in order of priority')
    .requiredOption('--tasks <files...>', 'task sets of every panel')
    .requiredOption('--seed <text>', 'seed of the hash order')
    .requiredOption('--per-stratum <n>', 'tasks a panel and family, or auto: the smallest pool', sizeOption)
    .option(
      '--only-families <names...>',
      'families to rank (default: substitution, pairing, constraint; all families of a world that has none of them)',
    )
    .option(
      '--roster <file>',
      'ranked models and their order: one id a line, CSV with model_id, or a document with models',
    )
    .addOption(phaseOption())
    .addOption(new Option('--parser <version>', 'parser of the answers (default: v4)').choices(SET_PARSERS))
    .option('--out <file>', 'the plan to write', 'core.json')
    .option('--validity <file>', 'also write the validity matrix (Arrow)')
    .option('--explain', 'list which model costs which tasks')
    .option(
      '--protocol <name>',
      'rank only answers asked under this protocol: leaderboard, bare, unstated, or its digest; recorded',
    )
    .option(
      '--decoding <values...>',
      'rank only answers that were not drawn with other values, as temperature=0; recorded',
    )
    .option('--allow-mixed-routes', 'pool records of two routes of a model; recorded')
    .option('--allow-unpinned', 'rank models whose route is not pinned; recorded')
    .addOption(forceOption())
    .option('--json', 'print JSON')
    .action(freeze);
  oldSpelling(frozen, '--families <names...>', 'only-families');
}
