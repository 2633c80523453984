import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { draw, pick } from '../kills/world.js';
import { filesIn, run } from './world.js';

/** Takes a part apart: its first line of JSON, and its numbers. */
function apart(bytes) {
  const end = bytes.indexOf(10, 65);
  return { head: JSON.parse(bytes.toString('utf8', 65, end)), numbers: bytes.subarray(end + 1) };
}

/** A part of these, with the digest that belongs to it, as its own writer would make it; `text` in place of the line of JSON. */
function whole({ head, numbers, text = JSON.stringify(head) }) {
  const body = Buffer.concat([Buffer.from(`${text}\n`), numbers]);
  return Buffer.concat([Buffer.from(`${createHash('sha256').update(body).digest('hex')}\n`), body]);
}

const HUGE = [2 ** 31, 2 ** 40, 2 ** 53 - 1, 2 ** 53, 1e300, -1, 0.5, '7', null];
const ODD = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
const FAR = [-1, 0.5, 1e308, -1e308, 2 ** 53, 2 ** 62];

/** Changes one number; gives undefined where there is none. */
function withNumber(bytes, values, at) {
  const { head, numbers } = apart(bytes);
  if (numbers.length === 0) return undefined;
  const changed = Buffer.from(numbers);
  changed.writeDoubleLE(pick(values, ...at, 'value'), 8 * Math.floor(draw(...at, 'number') * (changed.length / 8)));
  return whole({ head, numbers: changed });
}

/** Changes the first line by a function that works on its value. */
function withHead(change) {
  return (bytes, at) => {
    const { head, numbers } = apart(bytes);
    const text = change(head, at, numbers);
    return whole({ head, numbers, ...(typeof text === 'string' ? { text } : {}) });
  };
}

const anArray = (head, at) => {
  const piece = pick(head.pieces, ...at, 'piece');
  return [piece.arrays, pick(Object.keys(piece.arrays), ...at, 'name')];
};

/** What is done to a part; each says whether it must be refused, for a number that could have been drawn is nobody's to tell. */
const CHANGES = {
  cut: { change: (bytes, at) => bytes.subarray(0, Math.floor(draw(...at) * bytes.length)) },
  'one bit': {
    change(bytes, at) {
      const changed = Buffer.from(bytes);
      const where = Math.floor(draw(...at) * bytes.length);
      changed[where] ^= 1 << Math.floor(draw(...at, 'bit') * 8);
      return changed;
    },
  },
  'cut, with a digest of its own': {
    change(bytes, at) {
      const { head, numbers } = apart(bytes);
      return numbers.length === 0
        ? undefined
        : whole({ head, numbers: numbers.subarray(0, Math.floor(draw(...at) * numbers.length)) });
    },
  },
  'numbers behind its last': {
    change: (bytes) => whole({ ...apart(bytes), numbers: Buffer.concat([apart(bytes).numbers, Buffer.alloc(16)]) }),
  },
  'a number that is none': { change: (bytes, at) => withNumber(bytes, ODD, at) },
  'a number far off': { change: (bytes, at) => withNumber(bytes, FAR, at), may: true },
  'a version of its own': {
    change: withHead((head) => {
      head.version = '9.9.9';
    }),
  },
  'other kernels': {
    change: withHead((head) => {
      head.kernels_sha256 = '0'.repeat(64);
    }),
  },
  'a call of another command': {
    change: withHead((head, at) => {
      head.call = pick(
        [['score', 'x'], ['serve'], ['ledger', 'salvage', 'x'], ['__proto__'], ['merge', 'x'], ['release', 'build']],
        ...at,
      );
    }),
  },
  'a call with more words': {
    change: withHead((head, at) => {
      head.call.push(
        ...pick(
          [
            ['--out', '/tmp/stolen'],
            ['--force'],
            ['--json'],
            ['--help'],
            ['--shard', '1/1'],
            ['--parts', 'x'],
            ['--redis', 'redis://x'],
            ['--seed', '99'],
          ],
          ...at,
        ),
      );
    }),
  },
  'other inputs': {
    change: withHead((head, at) => {
      if (head.inputs.length === 0) head.inputs = [{ role: 'x', sha256: '0'.repeat(64), bytes: 1 }];
      else pick(head.inputs, ...at).sha256 = '0'.repeat(64);
    }),
  },
  'another shard': {
    change: withHead((head, at) => {
      head.shard = pick(
        [
          { index: 9, count: 3 },
          { index: 0, count: 3 },
          { index: 1, count: 1e9 },
          { index: 1, count: 3.5 },
          { index: -1, count: 3 },
          null,
        ],
        ...at,
      );
    }),
  },
  'another range': {
    change: withHead((head, at) => {
      pick(head.pieces, ...at)[pick(['units', 'first', 'count'], ...at, 'field')] = pick(HUGE, ...at, 'value');
    }),
  },
  'a declared size': {
    change: withHead((head, at) => {
      const [arrays, name] = anArray(head, at);
      arrays[name] = pick(HUGE, ...at, 'value');
    }),
  },
  'numbers of another name': {
    change: withHead((head, at) => {
      const [arrays, name] = anArray(head, at);
      const length = arrays[name];
      delete arrays[name];
      Object.defineProperty(arrays, pick(['odd', '__proto__', 'constructor', ''], ...at, 'to'), {
        value: length,
        enumerable: true,
      });
    }),
  },
  'a piece too few': {
    change: withHead((head) => {
      head.pieces = [];
    }),
  },
  'a piece twice': {
    change: withHead((head) => {
      head.pieces.push(head.pieces[0]);
    }),
  },
  'a piece of another work': {
    change: withHead((head, at) => {
      pick(head.pieces, ...at).key = '0'.repeat(64);
    }),
  },
  'a head that is no document': {
    change: withHead((_, at) =>
      pick(
        ['', 'null', '[]', '{', '{"schema":"flavourbench-part/2"}', '['.repeat(100_000), `{"a":"${'x'.repeat(1e6)}"}`],
        ...at,
      ),
    ),
  },
  nothing: { change: () => Buffer.alloc(0) },
  'a packed copy': { change: (bytes) => gzipSync(bytes) },
  'a table': { change: () => Buffer.from('model,t1\na,1\n') },
  'no line end for 100 MB': { change: (bytes) => Buffer.concat([bytes.subarray(0, 65), Buffer.alloc(1e8, 0x61)]) },
};

/** Whether a document says a number that is none: as JSON has none, it stands as null where a number is elsewhere. */
const saysNone = (text) => /\bNaN\b|Infinity|undefined/.test(text);

/** Puts parts together of which one is poisoned. */
function poisoned({ parts, of, cwd, out, make, may = false }) {
  const folder = mkdtempSync(join(tmpdir(), 'parts-'));
  const wrong = [];
  try {
    const bad = join(folder, 'poisoned');
    const given = make(bad, folder);
    if (given === undefined) return null;
    const list = parts.map((part, i) => (i === of ? bad : part));
    const target = join(folder, `merged${out}`);
    const began = Date.now();
    const { code, said } = run(['merge', ...(given.parts ?? list), '--out', target], { cwd });
    if (Date.now() - began > 60_000) wrong.push('took more than a minute');
    if (existsSync('/tmp/stolen')) wrong.push('wrote where the part said');
    if (may && code === 0) {
      for (const [name, data] of Object.entries(filesIn(target)))
        if (/\.(json|csv|jsonl)$|^$/.test(name) && saysNone(Buffer.from(data, 'base64').toString('latin1')))
          wrong.push(`${name} says a number that is none`);
      return { wrong, met: false };
    }
    if (code !== 2) wrong.push(`exit ${code}, 2 is expected: ${said.slice(0, 400)}`);
    if (!said.includes(given.names ?? 'poisoned')) wrong.push(`does not name the part: ${said.slice(0, 400)}`);
    if (!/^ {2}hint: /m.test(said)) wrong.push(`no hint: ${said.slice(0, 300)}`);
    if (said.length > 3000) wrong.push(`${said.length} characters of an error`);
    if (Object.keys(filesIn(target)).length > 0) wrong.push('wrote something');
    return { wrong, met: true };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Shards of every work that is shared, of which one is poisoned, foreign, twice or of another kind of file. */
export function* partCases({ seed, calls, other, cwd }) {
  const shares = (name, args) =>
    [1, 2, 3].map((index) => {
      const part = join(cwd, `part-${name}-${index}`);
      const { code, said } = run([...args, '--shard', `${index}/3`, '--out', part], { cwd });
      if (code !== 0) throw new Error(`${name}: exit ${code}: ${said}`);
      return part;
    });
  const foreign = shares('foreign', [...other.args, '--seed', '11'])[1];
  const made = Object.entries(calls).map(([name, { args, out }]) => ({ name, parts: shares(name, args), out }));
  for (const { name, parts, out } of made) {
    const one = (what, at, make, more = {}) => ({
      group: 'parts of a result',
      name: `${name}: ${what}`,
      at,
      run: () => poisoned({ parts, of: Math.floor(draw(seed, name, what, at, 'of') * 3), cwd, out, make, ...more }),
    });
    for (const [what, { change, may }] of Object.entries(CHANGES)) {
      for (const at of may ? [0, 1, 2, 3] : [0, 1]) {
        const words = [seed, name, what, at];
        const of = Math.floor(draw(...words, 'of') * 3);
        yield one(
          what,
          at,
          (bad) => {
            const bytes = change(readFileSync(parts[of]), words);
            if (bytes === undefined) return undefined;
            writeFileSync(bad, bytes);
            return {};
          },
          { may },
        );
      }
    }
    yield one('a part of another work', 0, (bad) => void writeFileSync(bad, readFileSync(foreign)) ?? {});
    yield one('a part twice', 0, () => ({ parts: [parts[0], parts[1], parts[1]], names: parts[1] }));
    yield one('a folder', 0, (bad) => void mkdirSync(bad) ?? {});
    yield one('nothing there', 0, () => ({}));
    yield one('a file of 3 GB', 0, (bad) => {
      writeFileSync(bad, readFileSync(parts[0]));
      truncateSync(bad, 3e9);
      return { size: statSync(bad).size };
    });
  }
}
