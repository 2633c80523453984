import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseSelection } from '../../src/responses/parser.js';
import { ARMS, parseBase, trainingRecipe } from '../../src/transfer/training-recipe.js';
import { noShared, shared } from '../support/shared.js';

const BASE = 'Qwen/Qwen3-0.6B@c1899de289a04d12100db370d81485cdf75e47ca';
const FILES = ['sft', 'sft_format_control', 'dpo', 'grpo'].flatMap((stem) =>
  ['train', 'validation'].map((split): [string, string] => [`${stem}_${split}.jsonl`, 'a'.repeat(64)]),
);

const write = (arm: (typeof ARMS)[number]) =>
  trainingRecipe({
    base: BASE,
    arm,
    seed: 20260824,
    data: new Map(FILES),
    protocolSha256: null,
    maxSteps: null,
  });

/** Arguments that the configurations of the pinned trainers accept and the recipes may use. */
const TRAINER_ARGUMENTS: Record<string, string[]> = JSON.parse(readFileSync('fixtures/recipes/arguments.json', 'utf8'));

const python = (code: string, ...args: string[]) =>
  execFileSync('python3', ['-c', code, ...args], { encoding: 'utf8' });

const KEYWORDS = `
import ast, json, sys
tree = ast.parse(open(sys.argv[1], encoding="utf-8").read())
calls = {}
for node in ast.walk(tree):
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.endswith("Config"):
        calls[node.func.id] = [k.arg for k in node.keywords]
compile(tree, sys.argv[1], "exec")
print(json.dumps(calls))
`;

describe('training recipes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recipe-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(ARMS)('are valid Python and pass only arguments that the pinned trainer knows: %s', (arm) => {
    const path = join(folder, `${arm}.py`);
    writeFileSync(path, write(arm));
    const calls = JSON.parse(python(KEYWORDS, path)) as Record<string, string[]>;
    expect(Object.keys(calls)).toHaveLength(2);
    for (const [name, keywords] of Object.entries(calls)) {
      const known = TRAINER_ARGUMENTS[name] ?? [];
      expect(keywords.filter((keyword) => !known.includes(keyword))).toEqual([]);
    }
  });

  it('have the settings of the paper in the supervised arms', () => {
    const settings = JSON.parse(/json\.loads\(r"""(.*)"""\)/.exec(write('control'))![1]!);
    expect(settings).toMatchObject({
      condition: 'sft_format_control',
      stem: 'sft_format_control',
      lora: { rank: 16, alpha: 32, dropout: 0.05 },
      training: { epochs: 3, learning_rate: 1e-4, batch: 2, accumulation: 8, max_length: 1024 },
    });
  });

  it('are refused with a revision that can move', () => {
    expect(() => parseBase('Qwen/Qwen3-0.6B@main')).toThrow(/40-digit revision/);
    expect(() => parseBase('Qwen/Qwen3-0.6B')).toThrow(/40-digit revision/);
  });

  it.skipIf(noShared)('reward as the release parser does (released cases needed)', () => {
    const file = JSON.parse(readFileSync(shared('golden/parser_cases.json'), 'utf8'));
    const cases = file.cases as { raw: string }[];
    const path = join(folder, 'grpo.py');
    writeFileSync(path, write('grpo'));
    const input = join(folder, 'cases.json');
    writeFileSync(input, JSON.stringify({ texts: cases.map(({ raw }) => raw), choices: file.choices }));
    const found = JSON.parse(
      python(
        `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("recipe", sys.argv[1])
recipe = importlib.util.module_from_spec(spec)
spec.loader.exec_module(recipe)
case = json.load(open(sys.argv[2], encoding="utf-8"))
print(json.dumps([recipe.selection(text, case["choices"]) for text in case["texts"]]))
`,
        path,
        input,
      ),
    );
    expect(found).toEqual(cases.map(({ raw }) => parseSelection(raw, file.choices).key));
  });
});
