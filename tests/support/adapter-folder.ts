import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../src/io/digest.js';

export const BASE_ID = 'Qwen/Qwen3-0.6B';
export const BASE_REVISION = 'c1899de289a04d12100db370d81485cdf75e47ca';

/** A folder as a training script leaves it, with made-up weights and numbers. Returns its path. */
export function adapterFolder(more: Record<string, unknown> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'flavourbench-adapter-'));
  const files = [
    ['adapter_config.json', '{"r": 16}\n'],
    ['adapter_model.safetensors', 'made-up weights'],
    ['extra/tokenizer.json', '{}\n'],
  ] as const;
  mkdirSync(join(folder, 'extra'));
  for (const [path, text] of files) writeFileSync(join(folder, path), text);
  const manifest = {
    schema: 'flavourbench-training-run/1',
    status: 'adapter_complete',
    protocol_sha256: null,
    recipe_sha256: 'c'.repeat(64),
    condition: 'sft_format_control',
    seed: 20260824,
    base_model: { id: BASE_ID, revision: BASE_REVISION },
    data: {},
    duration_seconds: 12.5,
    train_metrics: { epoch: 3, train_loss: 0.6 },
    validation_metrics: { epoch: 3, eval_loss: 0.5 },
    software: { python: '3.11.2', trl: '1.10.0' },
    hardware: { device: 'made-up', gpu_memory_bytes: 1 },
    files: files.map(([path, text]) => ({
      path,
      bytes: Buffer.byteLength(text),
      sha256: sha256(text),
    })),
    ...more,
  };
  writeFileSync(join(folder, 'training-manifest.json'), JSON.stringify(manifest));
  return folder;
}
