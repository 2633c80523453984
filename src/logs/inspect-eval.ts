import { isObject, type JsonObject, parseJson } from '../io/json.js';
import { decodeText } from '../io/utf8.js';
import type { ZipMember } from '../io/zip.js';
import { fail } from '../util/error.js';
import { isInspectHeader } from './inspect.js';
import { reducedSamples } from './inspect-reductions.js';
import { INSPECT_HINT, inspectRead } from './inspect-samples.js';
import type { LogFormat } from './log-format.js';
import type { OpenedLog } from './opened-log.js';

/** Members that say of which run the log is: of a finished run, of one that runs or was stopped, of early versions. */
const HEADERS = ['header.json', '_journal/start.json', 'start.json'];

/** A sample in one member, or, where it is long, its short part beside its transcript. */
const SAMPLE = /^samples\/.+_epoch_\d+(?:\/sample)?\.json$/;

/** Most bytes that all samples unpack to; past it their summaries are read. */
const LARGEST = 2 ** 30;

/**
 * A log of inspect_ai as the archive that it writes by default (reading 2.1): `header.json`, one `samples/ID_epoch_N.json` a sample,
 * `summaries.json`, `reductions.json`; members stored, deflated or Zstandard. A run that was stopped has no header, its start
 * instead. A log without samples gives the scores of its samples over all epochs.
 */
export const INSPECT_EVAL: LogFormat = {
  name: 'inspect_ai',
  log: 'an inspect_ai .eval log',
  recognise: ({ members }) => members?.some(({ name }) => HEADERS.includes(name)) === true,
  read: (log, options) => {
    const header = headerOf(log);
    return inspectRead({ file: log.file, header, samples: samplesOf(log, header) }, options);
  },
};

function memberJson(file: string, member: ZipMember): unknown {
  const name = `${file}:${member.name}`;
  return parseJson(decodeText(name, member.data()), { file: name, nonFinite: true });
}

function headerOf({ file, members = [] }: OpenedLog): JsonObject {
  const of = new Map(members.map((member) => [member.name, member]));
  const name = HEADERS.find((candidate) => of.has(candidate))!;
  const header = memberJson(file, of.get(name)!);
  if (!isObject(header) || !isInspectHeader(header))
    fail('SCHEMA_INVALID', { file, path: name }, 'does not say which model was evaluated', INSPECT_HINT);
  if (name === 'header.json') return header;
  const results = of.get('results.json');
  const ended = results === undefined ? undefined : memberJson(file, results);
  return { status: 'started', ...header, ...(isObject(ended) ? ended : {}) };
}

function* samplesOf(
  { file, members = [] }: OpenedLog,
  header: JsonObject,
): Generator<{ readonly sample: unknown; readonly path: string }> {
  const samples = members.filter(({ name }) => SAMPLE.test(name));
  const size = samples.reduce((sum, member) => sum + member.size, 0);
  if (samples.length > 0 && size <= LARGEST) {
    for (const member of samples) yield { sample: memberJson(file, member), path: member.name };
    return;
  }
  const summaries = members.find(({ name }) => name === 'summaries.json' || name === 'summary.json');
  if (summaries !== undefined && samples.length > 0) {
    yield* listed(memberJson(file, summaries), summaries.name);
    return;
  }
  if (samples.length > 0)
    fail(
      'BOUND_EXCEEDED',
      { file },
      `samples unpack to ${size} bytes, at most ${LARGEST} are read, and there are no summaries`,
      'Write the log again with `inspect log convert`, which adds them.',
    );
  const reductions = members.find(({ name }) => name === 'reductions.json');
  yield* reducedSamples(
    reductions === undefined ? header.reductions : memberJson(file, reductions),
    reductions?.name ?? 'reductions',
  );
}

/** Summaries are cut short: what was asked cannot be told by them. */
function* listed(list: unknown, path: string): Generator<{ sample: unknown; path: string }> {
  if (!Array.isArray(list)) return;
  for (const [i, sample] of (list as unknown[]).entries())
    yield { sample: isObject(sample) ? { ...sample, input: undefined } : sample, path: `${path}[${i}]` };
}
