import { z } from 'zod';
import { parseJson } from '../../io/json.js';
import { decodeText } from '../../io/utf8.js';
import { SET_PARSERS, type SetParser } from '../../responses/parser.js';
import { fail, shown } from '../../util/error.js';
import { VERSION } from '../../util/version.js';
import { operate } from '../operations/operation.js';
import { type AnyOperation, OPERATIONS } from '../operations.js';
import { openApi } from './openapi.js';
import { releaseDescription, releaseSummary, type ServedRelease } from './served-releases.js';
import { type Asked, type HttpContext, JSON_TYPE, type Reply, type Route } from './served-route.js';
import { scoredSubmission, submissionLine } from './submissions.js';

/** Most bytes of a request in JSON that is answered at once, and of a table or a submission. */
export const MOST_JSON = 8 * 2 ** 20;
export const MOST_FILE = 64 * 2 ** 20;

const LINES = 'application/jsonl';

const json = (value: unknown): Reply => ({ body: JSON.stringify(value) });

const TABLE_QUERY = {
  options: 'With a table as the body: its options, as JSON.',
  name: 'With a table as the body: what errors call it.',
};

/** The route of an operation: one that works for long takes the bytes of a table as its body too. */
function operationRoute(operation: AnyOperation): Route {
  const { name, summary, request, answer, long } = operation;
  const shape = { method: 'post', path: `/v1/${name}`, summary, gives: { [JSON_TYPE]: answer } } as const;
  if (long)
    return {
      ...shape,
      query: TABLE_QUERY,
      takes: { [JSON_TYPE]: request, 'application/octet-stream': null, 'text/csv': null },
      async answer(asked, { longWork }) {
        const bytes = await asked.body(MOST_FILE);
        const table =
          asked.mediaType === JSON_TYPE ? undefined : { options: asked.query('options'), name: asked.query('name') };
        return { body: await longWork.run({ op: name, bytes, table }) };
      },
    };
  return {
    ...shape,
    takes: { [JSON_TYPE]: request },
    async answer(asked, { service, counters }) {
      if (asked.mediaType !== JSON_TYPE)
        fail(
          'MEDIA_TYPE',
          null,
          `${JSON_TYPE} expected, found ${shown(asked.mediaType)}`,
          `Send content-type: ${JSON_TYPE}.`,
        );
      const text = decodeText('the request', await asked.body(MOST_JSON));
      const answer = operate(operation, parseJson(text, { file: 'the request' }), service);
      const made = (answer instanceof Promise ? await answer : answer) as Readonly<Record<string, readonly unknown[]>>;
      counters.scored += (made.rewards ?? made.scores ?? []).length;
      return json(made);
    },
  };
}

function parserAsked(text: string | undefined): SetParser | undefined {
  const known = SET_PARSERS.find((each) => each === text);
  if (text !== undefined && known === undefined)
    fail(
      'USAGE',
      { path: 'parser' },
      `${SET_PARSERS.join(' or ')} expected, found ${shown(text)}`,
      'Leave it out for v4.',
    );
  return known;
}

async function submission(asked: Asked, { service, counters }: HttpContext): Promise<Reply> {
  if (service.tasks.size === 0) fail('TASK_UNKNOWN', null, 'the server has no tasks', 'Start it with --tasks FILE...');
  const parser = parserAsked(asked.query('parser'));
  const lines = scoredSubmission(await asked.body(MOST_FILE), service, parser);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await lines.next();
      if (done) controller.close();
      else {
        counters.scored += value.split('\n').length - 1;
        controller.enqueue(encoder.encode(value));
      }
    },
  });
  return { body, type: LINES };
}

function releaseNamed(asked: Asked, { releases }: HttpContext): ServedRelease {
  const name = asked.param('name');
  return (
    releases.get(name) ??
    fail(
      'NOT_FOUND',
      null,
      `there is no release ${shown(name)}`,
      releases.size === 0 ? 'Start the server with --releases FOLDER.' : '/v1/releases lists them.',
    )
  );
}

/** Everything that is served. */
export const ROUTES: readonly Route[] = [
  ...OPERATIONS.map(operationRoute),
  {
    method: 'post',
    path: '/v1/submissions',
    summary: 'Score rows of answers, JSON Lines in and out: one line for each in its order, then a summary by model.',
    query: { parser: `Parser of the answers: ${SET_PARSERS.join(' or ')}; v4 unless given.` },
    takes: { [LINES]: null },
    gives: { [LINES]: submissionLine },
    answer: submission,
  },
  {
    method: 'get',
    path: '/v1/releases',
    summary: 'The releases that are served.',
    gives: { [JSON_TYPE]: z.object({ releases: z.array(releaseSummary) }) },
    answer: (_, { releases }) => json({ releases: [...releases.values()].map(({ summary }) => summary) }),
  },
  {
    method: 'get',
    path: '/v1/releases/{name}',
    summary: 'A release: what it claims, its models, its files with their digests.',
    params: { name: 'Name of its folder.' },
    gives: { [JSON_TYPE]: releaseDescription },
    answer: async (asked, context) => json(await releaseNamed(asked, context).describe()),
  },
  {
    method: 'get',
    path: '/v1/releases/{name}/{path}',
    summary: 'A file of a release, as its manifest lists it.',
    params: { name: 'Name of its folder.', path: 'Path of the file inside, with its slashes.' },
    gives: { 'application/octet-stream': null },
    answer: (asked, context) => ({
      body: new Uint8Array(releaseNamed(asked, context).file(asked.param('path'))),
      type: 'application/octet-stream',
    }),
  },
  {
    method: 'get',
    path: '/healthz',
    summary: 'Whether requests are taken: 200, or 503 while the server ends.',
    open: true,
    gives: { [JSON_TYPE]: z.object({ status: z.enum(['ok', 'ending']), version: z.string() }) },
    answer: (_, { ending }) => ({
      ...json({ status: ending() ? 'ending' : 'ok', version: VERSION }),
      status: ending() ? 503 : 200,
    }),
  },
  {
    method: 'get',
    path: '/metrics',
    summary: 'Counts and durations as Prometheus reads them.',
    gives: { 'text/plain': null },
    answer: (_, { counters }) => ({
      body: counters.text(process.memoryUsage.rss()),
      type: 'text/plain; version=0.0.4; charset=utf-8',
    }),
  },
  {
    method: 'get',
    path: '/openapi.json',
    summary: 'This document.',
    open: true,
    gives: { [JSON_TYPE]: z.looseObject({ openapi: z.string() }) },
    answer: () => json(openApi(ROUTES)),
  },
  {
    method: 'get',
    path: '/',
    summary: 'The explorer: a page that reads a table of scores where it is opened.',
    open: true,
    gives: { 'text/html': null },
    answer: (_, { page }) => ({ body: page(), type: 'text/html; charset=utf-8' }),
  },
];
