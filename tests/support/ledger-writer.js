import { createHash } from 'node:crypto';
import { currentHolder, probeProcess } from '../../dist/cli/open-ledger.js';
import { cellId, slotName } from '../../dist/ledger/cell-key.js';
import { LedgerWriter } from '../../dist/ledger/ledger-writer.js';
import { pendingCells, sealAmbiguous } from '../../dist/ledger/resume.js';

/** `claim`: fields of the holder that this process states of itself in place of the true ones, as JSON. */
const [dir, cells, claim = '{}'] = process.argv.slice(2);
const sha = (text) => createHash('sha256').update(text).digest('hex');
const say = (text) => process.stdout.write(`${text}\n`);

const ledger = await LedgerWriter.open({
  dir,
  holder: { ...currentHolder(), ...JSON.parse(claim) },
  probe: probeProcess,
  clock: Date.now,
});
for (const record of await sealAmbiguous(ledger, { recordedAt: '2026-08-20T00:00:00.000Z' })) say(`R ${record.cell}`);

const schedule = Array.from({ length: Number(cells) }, (_, i) => {
  const key = {
    model_id: 'm/one',
    endpoint_execution_sha256: sha('endpoint'),
    protocol_sha256: sha('protocol'),
    decoding: {},
    prompt_sha256: sha(`prompt ${i}`),
    phase: 'primary',
    repeat: 0,
  };
  return {
    cell: cellId(key),
    key,
    slot: slotName('m/one'),
    panel: 'panel_1',
    family: 'pairing',
    task_id: `task-${i}`,
    original_task_id: null,
    task_set_sha256: null,
    manifest_sha256: null,
  };
});
const { pending } = pendingCells(ledger.state, schedule);
const route = {
  transport: 'none',
  requested_model: null,
  expected_model: null,
  expected_provider: null,
  provider_tag: null,
};

async function worker() {
  for (let binding = pending.shift(); binding; binding = pending.shift()) {
    const common = { cell: binding.cell, attempt_id: binding.cell, attempt_index: 0 };
    await ledger.append({
      type: 'request_started',
      ...common,
      binding,
      route,
      rank_eligible: true,
      reserved_micros: 10,
    });
    say(`S ${binding.cell}`);
    await ledger.append({ type: 'response_received', ...common, cost_micros: 7 });
    const record = ledger.compose(binding, {
      model_name: 'One',
      source: 'collected',
      origin: null,
      rank_eligible: true,
      route,
      status: 'failed',
      outcome: 'empty',
      started_at: null,
      recorded_at: null,
      wall_time_ms: null,
      generation: null,
      parse: null,
      error: null,
      budget: { reserved_micros: 10, actual_micros: 7 },
    });
    await ledger.putRecord(record);
    say(`R ${binding.cell}`);
  }
}

await Promise.all(Array.from({ length: 16 }, worker));
await ledger.close();
say('done');
