import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { createEngine } from '../src/engine/index.js';
import { runInference } from '../src/inference/infer.js';
import { simulatedMatrix } from './simulated.js';

const RUNS = 10;
const LARGEST = 14;

/** Kernel names by function index, as the text of the compiled module lists them. */
function kernelNames(): string[] {
  const text = readFileSync('build/kernels.wat', 'utf8');
  const functions = text.matchAll(/^ \((?:func|import [^\n]*\(func) \$(?:assembly\/)?(\S+)/gm);
  return [...functions].map((match) => match[1]!);
}

/** Which part of one full inference each kernel takes, by sampling, on one thread. */
export async function measure(): Promise<{ name: string; value: number; unit: string }[]> {
  const matrix = simulatedMatrix();
  const engine = await createEngine({ backend: 'wasm' });
  await runInference({ matrix, engine });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 250 });
  await session.post('Profiler.start');
  for (let run = 0; run < RUNS; run++) await runInference({ matrix, engine });
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  await engine.close();
  return largest(profile);
}

function largest(profile: Profiler.Profile): { name: string; value: number; unit: string }[] {
  const kernels = kernelNames();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame.functionName]));
  const spent = new Map<string, number>();
  profile.samples!.forEach((id, i) => {
    const name = nodes.get(id)!;
    const index = /^wasm-function\[(\d+)\]$/.exec(name)?.[1];
    const said = index === undefined ? 'JavaScript' : kernels[Number(index)]!;
    spent.set(said, (spent.get(said) ?? 0) + profile.timeDeltas![i]!);
  });
  const total = [...spent.values()].reduce((a, b) => a + b, 0);
  return [...spent]
    .sort((a, b) => b[1] - a[1])
    .slice(0, LARGEST)
    .map(([name, time]) => ({ name, value: (100 * time) / total, unit: '%' }));
}
