import { appendFileSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertGate } from '../../src/transfer/primary-seal.js';
import { freezeStudy } from '../../src/transfer/study-plan.js';
import {
  assertPlannedManifest,
  trainingManifestJsonSchema,
  verifyTrainingRun,
} from '../../src/transfer/training-manifest.js';
import { adapterFolder, BASE_ID, BASE_REVISION } from '../support/adapter-folder.js';

const DATA = { 'sft_train.jsonl': 'a'.repeat(64), 'sft_validation.jsonl': 'b'.repeat(64) };
const plan = freezeStudy({
  base: `${BASE_ID}@${BASE_REVISION}`,
  seeds: [20260824, 20260825],
  data: new Map(Object.entries(DATA)),
  primaryTasks: 'd'.repeat(64),
  secondaryTasks: null,
  primaryContent: 'e'.repeat(64),
  rng: 'philox',
  alpha: 0.05,
  draws: 100,
  flips: 100,
  threshold: 3,
  at: '2026-08-20T00:00:00.000Z',
});

let folder: string;
let folders: string[] = [];
const make = (more: Record<string, unknown> = {}) => {
  folder = adapterFolder(more);
  folders.push(folder);
  return folder;
};
const at = (name: string) => join(folder, name);
beforeEach(() => {
  make();
});
afterEach(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
  folders = [];
});

describe('a training manifest', () => {
  it('stands for the files beside it', () => {
    expect(verifyTrainingRun(folder)).toMatchObject({ condition: 'sft_format_control' });
  });

  it.each([
    [
      'a changed byte',
      () => {
        const bytes = readFileSync(at('adapter_model.safetensors'));
        bytes[0]! ^= 1;
        writeFileSync(at('adapter_model.safetensors'), bytes);
      },
      /adapter_model.safetensors" has other bytes/,
    ],
    ['a longer file', () => appendFileSync(at('adapter_config.json'), ' '), /other bytes/],
    ['a missing file', () => unlinkSync(at('extra/tokenizer.json')), /tokenizer.json" is missing/],
    ['an unlisted file', () => writeFileSync(at('extra/more'), ''), /more" is not in the manifest/],
    [
      'a link in place of a file',
      () => {
        unlinkSync(at('adapter_config.json'));
        symlinkSync('adapter_model.safetensors', at('adapter_config.json'));
      },
      /adapter_config.json is not a regular file/,
    ],
    [
      'a linked folder',
      () => {
        rmSync(at('extra'), { recursive: true });
        symlinkSync('/', at('extra'));
      },
      /extra is not a regular file/,
    ],
  ])('no longer stands after %s', (_, change, message) => {
    change();
    expect(() => verifyTrainingRun(folder)).toThrow(message);
  });

  it.each([
    ['a file outside the folder', { files: [{ path: '../x', bytes: 0, sha256: 'a'.repeat(64) }] }],
    ['no adapter', { files: [] }],
    ['a duration of zero', { duration_seconds: 0 }],
    ['a base that can move', { base_model: { id: BASE_ID, revision: 'main' } }],
    ['an unknown field', { note: 'trust me' }],
  ])('is refused with %s', (_, more) => {
    expect(() => verifyTrainingRun(make(more))).toThrow();
  });

  it('belongs to the plan it names, with that plan’s data, seed, base and epochs', () => {
    const good = { protocol_sha256: plan.artifact_sha256, data: DATA };
    const check = (more: Record<string, unknown>) =>
      assertPlannedManifest(plan, verifyTrainingRun(make({ ...good, ...more })));
    expect(() => check({})).not.toThrow();
    expect(() => check({ protocol_sha256: null })).toThrow(/protocol none is not/);
    expect(() => check({ seed: 7 })).toThrow(/seed 7 is not one of 20260824, 20260825/);
    expect(() => check({ condition: 'dpo' })).toThrow(/condition dpo/);
    expect(() => check({ data: { 'sft_train.jsonl': 'b'.repeat(64) } })).toThrow(/sft_train.jsonl is not the file/);
    expect(() => check({ base_model: { id: 'x/y', revision: BASE_REVISION } })).toThrow(/x\/y@/);
    expect(() => check({ train_metrics: { epoch: 2.9 } })).toThrow(/epochs 2.9 and 3/);
  });

  it('opens the gate only with one full set on one machine', () => {
    const one = (more: Record<string, unknown>) =>
      verifyTrainingRun(make({ protocol_sha256: plan.artifact_sha256, ...more }));
    const pair = [one({}), one({ condition: 'sft_epicure_optimum' })];
    const gate = (list: typeof pair) =>
      assertGate(list, [20260824], ['sft_format_control', 'sft_epicure_optimum'], plan.artifact_sha256);
    expect(() => gate(pair)).not.toThrow();
    expect(() => gate(pair.slice(1))).toThrow(/no manifest for sft_format_control/);
    expect(() => gate([pair[0]!, { ...pair[1]!, software: {} }])).toThrow(/2 different states/);
    expect(() => gate([pair[0]!, { ...pair[1]!, status: 'smoke_not_confirmatory' }])).toThrow(/smoke run/);
    expect(() => gate([pair[0]!, { ...pair[1]!, protocol_sha256: null }])).toThrow(/another plan/);
  });

  it('has a JSON Schema', () => {
    expect(trainingManifestJsonSchema()).toMatchObject({
      type: 'object',
      additionalProperties: false,
      properties: { files: { type: 'array' } },
    });
  });
});
