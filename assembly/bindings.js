// Part of `npm run build:wasm`: writes src/engine/wasm/kernels.ts, in which every kernel that index.ts exports is called with
// labelled arguments. tests/house/kernel-types.test.ts holds that file to the sources, and the sources to the compiled module.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('./', import.meta.url);
const target = new URL('../src/engine/wasm/kernels.ts', folder);

/** Types of AssemblyScript: what a caller gives, and the value type in the compiled module. */
const TYPES = {
  usize: ['number', 'i32'],
  i32: ['number', 'i32'],
  u32: ['number', 'i32'],
  bool: ['boolean', 'i32'],
  f64: ['number', 'f64'],
  void: ['void', null],
};

function typed(type, where) {
  const [host, wasm] = TYPES[type] ?? [];
  if (host === undefined) throw new Error(`${where}: type ${type}; a kernel takes ${Object.keys(TYPES).join(', ')}`);
  return { host, wasm };
}

/** The exported kernels as the sources declare them: name, file, parameters and result, in the order of index.ts. */
export function declaredKernels() {
  const index = readFileSync(new URL('index.ts', folder), 'utf8');
  return [...index.matchAll(/export \{([^}]*)\} from '\.\/(\w+)'/g)].flatMap(([, names, file]) => {
    const text = readFileSync(new URL(`${file}.ts`, folder), 'utf8');
    return names.split(',').map((name) => name.trim()).filter(Boolean).map((name) => {
      const found = new RegExp(`export function ${name}\\(([^)]*)\\): (\\w+) \\{`).exec(text);
      if (!found) throw new Error(`assembly/${file}.ts declares no function ${name}`);
      const parameters = found[1].split(',').map((part) => part.trim()).filter(Boolean).map((part) => {
        const [label, type] = part.split(/:\s*/);
        return { label: label.replace(/^_/, ''), ...typed(type, `${name}: ${label}`) };
      });
      return { name, file, parameters, result: typed(found[2], name) };
    });
  });
}

/** `before`, the parts joined by `between`, and `after`, in lines of at most 120 characters, all but the first indented. */
function wrapped(before, parts, between, after, indent) {
  const lines = [before];
  for (const [k, part] of parts.entries()) {
    const piece = part + (k + 1 < parts.length ? between : after);
    if ((lines.at(-1) + piece).trimEnd().length > 120) lines.push(indent);
    lines[lines.length - 1] += piece;
  }
  return lines.map((line) => line.trimEnd());
}

const quoted = (labels) => labels.map((label) => `'${label}'`);

/** A kernel as a function of one object of labels. */
function labelledKernel({ name, parameters, result }) {
  if (parameters.length === 0) return [`    ${name}: (): ${result.host} => raw.${name}(),`];
  const labels = (host) => parameters.filter((parameter) => parameter.host === host).map(({ label }) => label);
  const flags = labels('boolean');
  const more = flags.length > 0 ? ` & Flags<${quoted(flags).join(' | ')}>` : '';
  const values = parameters.map(({ label }) => `a.${label}`);
  const call = `      ${result.host === 'void' ? 'void ' : ''}raw.${name}(`;
  return [
    ...wrapped(`    ${name}: (a: Numbers<`, quoted(labels('number')), ' | ', `>${more}): ${result.host} =>`, '      '),
    ...wrapped(call, values, ', ', '),', '        '),
  ];
}

/** The text of kernels.ts. */
export function bindingsText() {
  const kernels = declaredKernels();
  return [
    '// Written by assembly/bindings.js from the exported functions of assembly/: do not edit, run `npm run build:wasm`.',
    '',
    'type Numbers<Labels extends string> = { readonly [Label in Labels]: number };',
    'type Flags<Labels extends string> = { readonly [Label in Labels]: boolean };',
    '',
    '/** The kernels of an instance as WebAssembly exports them: arguments by their place. */',
    'export type RawKernels = Readonly<',
    '  Record<',
    ...wrapped('    ', quoted(kernels.map(({ name }) => name)), ' | ', ',', '    '),
    '    (...values: (number | boolean)[]) => number',
    '  >',
    '>;',
    '',
    '/** The same kernels, called with labelled arguments. Memory layouts are drawn above the functions in assembly/. */',
    'export function labelledKernels(raw: RawKernels) {',
    '  return {',
    ...kernels.flatMap((kernel, k) => [
      ...(kernel.file === kernels[k - 1]?.file ? [] : ['', `    // assembly/${kernel.file}.ts`]),
      ...labelledKernel(kernel),
    ]).slice(1),
    '  };',
    '}',
    '',
    '/** What a compiled module of assembly/ can do. */',
    'export type Kernels = ReturnType<typeof labelledKernels>;',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = bindingsText();
  if (text !== readFileSync(target, 'utf8')) writeFileSync(target, text);
}
