import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import type { AnsweredRequest } from '../../server/http/exchange.js';
import { isLoopback, openHttpServer } from '../../server/http/http-server.js';
import { openLongWork } from '../../server/http/long-work.js';
import { servedReleases } from '../../server/http/served-releases.js';
import { openService, type ServiceFiles } from '../../server/service.js';
import { fail } from '../../util/error.js';
import { counted } from '../../util/format.js';
import { emptyExplorer } from '../explorer-page.js';
import { countOption, portOption } from '../options.js';
import { printJson, printLine, printNote } from '../print.js';
import { stoppable } from '../stop-signal.js';
import { SYSTEM_TIME } from '../system-time.js';

interface ServeOptions extends ServiceFiles {
  readonly releases?: string;
  readonly host: string;
  readonly port: number;
  readonly tokenFile?: string;
  readonly open?: boolean;
  readonly rate?: number;
  readonly connections: number;
  readonly timeLimit: number;
  readonly grace: number;
  readonly threads: number;
  readonly log: boolean;
  readonly json?: boolean;
}

/** Seconds in which a request has to be there. */
const REQUEST_SECONDS = 30;

/** Bytes of bodies at once: a machine that can audit a table of 64 MiB can hold eight of them. */
const BODY_BYTES = 512 * 2 ** 20;

/** Requests for long work that wait, by thread. */
const WAITING = 16;

/** Shortest token that is taken. */
const SHORTEST_TOKEN = 16;

/** Adds `serve`. */
export function register(program: Command): void {
  program
    .command('serve')
    .description(
      'Serve scores, rewards, audits, inference, releases and the explorer over HTTP, on this machine alone.',
    )
    .option('--tasks <files...>', 'task-set documents or task rows that requests name by id')
    .option('--core <plan>', 'refuse rewards of the tasks of this core, and infer over its tasks')
    .option('--releases <folder>', 'folder whose releases are served')
    .option('--port <n>', 'port', portOption, 8080)
    .option('--host <address>', 'address to listen on; another than this machine needs a token', '127.0.0.1')
    .option('--token-file <file>', 'file with a token that requests have to bear')
    .option('--open', 'answer requests from other machines without a token')
    .option('--rate <n>', 'requests a second that one address may send (default: any number)', countOption)
    .option('--connections <n>', 'connections that are answered at once', countOption, 512)
    .option('--time-limit <seconds>', 'seconds for one audit or inference', countOption, 60)
    .option('--grace <seconds>', 'seconds for what is in flight when a signal comes', countOption, 30)
    .option('--threads <n>', 'threads for audits and inference', countOption, Math.max(1, availableParallelism() - 1))
    .option('--no-log', 'write no line a request')
    .option('--json', 'print the address as JSON')
    .action(runServe);
}

function readToken(path: string): string {
  const token = readFileSync(path, 'utf8').trim();
  if (token.length < SHORTEST_TOKEN || /\s/.test(token))
    fail(
      'USAGE',
      { file: path },
      `a token of ${token.length} characters; at least ${SHORTEST_TOKEN} without blanks are expected`,
      '`openssl rand -hex 32 > token` makes one.',
    );
  return token;
}

/** Writes lines of the log in pieces, since a line a request costs more than the request. */
function requestLog(): { readonly add: (request: AnsweredRequest) => void; readonly flush: () => void } {
  let lines = '';
  const flush = (): void => {
    if (lines !== '') process.stderr.write(lines);
    lines = '';
  };
  return {
    add(request) {
      if (lines === '') setTimeout(flush, 200).unref();
      const milliseconds = Number(request.milliseconds.toFixed(3));
      lines += `${JSON.stringify({ time: new Date(SYSTEM_TIME.now()).toISOString(), ...request, milliseconds })}\n`;
      if (lines.length > 1 << 16) flush();
    },
    flush,
  };
}

async function runServe({ tokenFile, open, releases, log, grace, json, ...options }: ServeOptions): Promise<void> {
  const { tasks, core, host, port, rate, connections, threads, timeLimit: seconds } = options;
  const token = tokenFile === undefined ? undefined : readToken(tokenFile);
  if (!isLoopback(host) && token === undefined && !open)
    fail('USAGE', null, `--host ${host} without a token`, 'Give --token-file FILE, or --open to answer everybody.');
  const files = { tasks, core };
  const service = openService(files);
  const found = releases === undefined ? new Map() : servedReleases(releases);
  const longWork = openLongWork({ files, threads, seconds, waiting: WAITING * threads });
  const lines = requestLog();
  try {
    await stoppable(async (signal) => {
      const server = await openHttpServer({
        ...{ service, longWork, releases: found, page: emptyExplorer, host, port, token, rate, connections },
        ...{ seconds: REQUEST_SECONDS, bodyBytes: BODY_BYTES, ticks: SYSTEM_TIME.ticks },
        ...(log ? { onAnswered: lines.add } : {}),
      });
      if (json) printJson({ address: server.address });
      else {
        printLine(server.address);
        const on = isLoopback(host) ? ', on this machine only' : '';
        printNote(`${counted(service.tasks.size, 'task')}, ${counted(found.size, 'release')}${on}; end with Ctrl-C`);
      }
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      if (!(await server.close(grace))) printNote(`some requests were not answered within ${grace} seconds`);
    });
  } finally {
    lines.flush();
    await longWork.close();
    await service.close();
  }
}
