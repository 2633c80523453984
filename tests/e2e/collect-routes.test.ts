import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { temporaryFolder } from '../support/collect-run.js';

const CASE = resolve('fixtures/cases/route-burns-block');

let folder: string;
let server: ChildProcess;
let plan: string;
const at = (name: string) => join(folder, name);

/** The loopback server of the case, and its plan at the port that it got. */
beforeEach(async () => {
  folder = temporaryFolder();
  copyFileSync('fixtures/tasks-small.json', at('tasks.json'));
  server = spawn(process.execPath, [join(CASE, 'server.mjs'), '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(server.stdout!, 'data')) as [Buffer];
  plan = at('plan.yaml');
  writeFileSync(plan, readFileSync(join(CASE, 'plan.yaml'), 'utf8').replaceAll('8123', port.toString().trim()));
});
afterEach(async () => {
  server.kill();
  if (server.exitCode === null) await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
});

const asked = () => JSON.parse(readFileSync(at('counts.json'), 'utf8')) as Record<string, number>;
const collect = (...more: string[]) => cliInline(['collect', plan, '--ledger', at('ledger'), '--yes', ...more]);
const usd = (text: string) => /([\d.]+) USD (?:in all|booked), ([\d.]+) USD uncertain/.exec(text)?.slice(1);

describe('routes that give nothing usable', () => {
  it('rest after five paid replies in a row; summary and explanation say what came back and what was expected', async () => {
    const run = await collect();
    expect(run.code).toBe(3);
    expect(asked()).toEqual({ dated: 5, page: 5 });
    expect(run.stdout).toMatch(/^incomplete: 10 asked, 0 completed, 10 failed; .* 62 pending\n/);
    expect(run.stdout).toContain(
      't/dated rested: 5 cells in a row without a usable reply, the last: identity_model: substituted or omitted model: expected dated, got dated-2026-01-01\n',
    );
    expect(run.stdout).toContain(
      't/page rested: 5 cells in a row without a usable reply, the last: malformed_reply: expected a JSON object with choices, got text/html, 14 bytes\n',
    );
    const [, cell] = /flavourbench ledger explain \S+ ([0-9a-f]{64})\n/.exec(run.stdout)!;
    const explained = await cliInline(['ledger', 'explain', at('ledger'), cell!]);
    expect(explained.stdout).toContain('\n  model dated-2026-01-01, expected dated\n  finish stop\n');
    const status = await cliInline(['ledger', 'status', at('ledger')]);
    expect(usd(status.stdout)).toEqual(usd(run.stdout));
  });

  it('are named by a probe, which asks each route one cell and costs no more', async () => {
    const run = await collect('--probe');
    expect(run.code).toBe(3);
    expect(asked()).toEqual({ dated: 1, page: 1 });
    expect(run.stdout).toMatch(/^model +answers as +finish +answer\n/);
    expect(run.stdout).toMatch(/\nt\/dated +dated-2026-01-01\S* +stop +identity_model\n/);
    expect(run.stdout).toContain(
      '\nt/dated: identity_model: substituted or omitted model: expected dated, got dated-2026-01-01\n',
    );
    expect(run.stdout).toContain(
      '\nt/page: malformed_reply: expected a JSON object with choices, got text/html, 14 bytes\n',
    );
    const again = await collect('--probe', '--json');
    expect(JSON.parse(again.stdout).probes).toHaveLength(2);
    expect(asked()).toEqual({ dated: 2, page: 2 });
  });

  it('end a run that asks less than five of a route with exit 3 too', async () => {
    const run = await collect('--limit', '2');
    expect(run.code).toBe(3);
    expect(run.stdout).toMatch(/\nt\/\w+: no reply was usable, the last: /);
  });

  it('leave a ledger whose spending counts quarantined and unfinished requests as the next run does', async () => {
    await collect();
    const quarantine = ['ledger', 'quarantine', at('ledger'), '--model', 't/page', '--reason', 'a page'];
    expect((await cliInline(quarantine)).code).toBe(0);
    const { stdout } = await cliInline(['ledger', 'status', at('ledger')]);
    expect(stdout).toMatch(/ 550 tokens\nof that in quarantine: 0 USD booked, 0\.0\d+ USD uncertain, 0 tokens\n/);
    const next = await collect('--limit', '1');
    const after = await cliInline(['ledger', 'status', at('ledger')]);
    expect(usd(after.stdout)).toEqual(usd(next.stdout));
    expect(Number(usd(after.stdout)![1])).toBeGreaterThanOrEqual(Number(usd(stdout)![1]));
    await cliInline(['ledger', 'quarantine', at('ledger'), '--model', 't/dated', '--reason', 'another name']);
    const both = await cliInline(['ledger', 'status', at('ledger')]);
    expect(usd(both.stdout)).toEqual(usd(next.stdout));
    const stated = / (\d+) tokens\n/.exec(after.stdout)![1];
    expect(both.stdout).toMatch(
      new RegExp(` ${stated} tokens\\nof that in quarantine: .* USD uncertain, ${stated} tokens\\n`),
    );
  });
});
