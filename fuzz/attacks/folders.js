import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draw, pick } from '../kills/world.js';
import { filesIn, fixture, run } from './world.js';

const RESCORE = ['rescore', 'answers', '--tasks', fixture('tasks-small.json'), '--threads', '1'];

const digest = (text) => createHash('sha256').update(text).digest('hex');
const anyOf = (list, at) => list[Math.floor(draw(...at) * list.length)];
const filesOf = (folder, name) => readdirSync(join(folder, name)).map((file) => join(folder, name, file));

/** Changes the record of a part, and gives it the digest that belongs to it. */
function withRecord(change) {
  return (folder, at) => {
    const path = anyOf(filesOf(folder, 'parts'), at);
    const { artifact_sha256: _, ...record } = JSON.parse(readFileSync(path, 'utf8'));
    change(record, at);
    writeFileSync(path, JSON.stringify({ ...record, artifact_sha256: digest(JSON.stringify(record)) }));
  };
}

/** Changes what a folder says of its batch. */
function withState(change) {
  return (folder, at) => {
    const path = join(folder, 'batch.json');
    const state = JSON.parse(readFileSync(path, 'utf8'));
    change(state, at);
    writeFileSync(path, JSON.stringify(state));
  };
}

const ODD = [-1, 0.5, 1e300, null, '7', [], 2 ** 53];

/** What is done to a shard of a batch. */
const CHANGES = {
  'rows that are cut': (folder, at) =>
    truncateSync(anyOf(filesOf(folder, 'rows'), at), Math.floor(draw(...at, 'size') * 500)),
  'rows with one bit changed': (folder, at) => {
    const path = anyOf(filesOf(folder, 'rows'), at);
    const bytes = readFileSync(path);
    bytes[Math.floor(draw(...at, 'byte') * bytes.length)] ^= 1 << Math.floor(draw(...at, 'bit') * 8);
    writeFileSync(path, bytes);
  },
  'rows that are gone': (folder, at) => rmSync(anyOf(filesOf(folder, 'rows'), at)),
  'rows of 3 GB': (folder, at) => truncateSync(anyOf(filesOf(folder, 'rows'), at), 3e9),
  'a record that is gone': (folder, at) => rmSync(anyOf(filesOf(folder, 'parts'), at)),
  'a record of 3 GB': (folder, at) => truncateSync(anyOf(filesOf(folder, 'parts'), at), 3e9),
  'a record that is no document': (folder, at) =>
    writeFileSync(anyOf(filesOf(folder, 'parts'), at), pick(['', 'null', '[]', '{', '7'], ...at, 'what')),
  'files elsewhere': withRecord((record, at) => {
    record.files[0].path = pick(['/etc/passwd', '../../scores.csv', 'rows/../../x', 'batch.json', ''], ...at);
  }),
  'a size that is another': withRecord((record, at) => {
    record.files[0].bytes = pick(ODD, ...at);
  }),
  'a count that is none': withRecord((record, at) => {
    record.counts[pick(['rows', 'aside', 'unknownTasks'], ...at)] = pick(ODD.slice(0, 6), ...at, 'value');
  }),
  'a tally that is none': withRecord((record, at) => {
    record.counts.tally.counts[0][0] = pick(ODD.slice(0, 6), ...at);
  }),
  'no tally': withRecord((record, at) => {
    record.counts.tally = pick([null, [], {}, { families: [], models: [], counts: 7 }], ...at);
  }),
  'a tally of other lengths': withRecord((record, at) => {
    const { tally } = record.counts;
    if (draw(...at) < 0.5) tally.counts.pop();
    else tally.models.push('another');
  }),
  'a part of another name': withRecord((record, at) => {
    record.id = pick(['000009', '../x', ''], ...at);
  }),
  'another plan': withState((state) => {
    state.plan_sha256 = '0'.repeat(64);
  }),
  'other inputs': withState((state) => {
    state.units_sha256 = '0'.repeat(64);
  }),
  'another shard': withState((state, at) => {
    state.shard = pick(
      [null, { index: 9, count: 3 }, { index: 0, count: 3 }, { index: 1, count: 1e9 }, { index: 1, count: 4 }],
      ...at,
    );
  }),
  'not finished': withState((state) => {
    state.parts = null;
  }),
  'parts that are not there': withState((state, at) => {
    state.parts = pick([['999999'], ['../../x'], [...state.parts, ...state.parts], [7]], ...at);
  }),
  'parts too few': withState((state) => {
    state.parts = [];
  }),
  'no state': (folder, at) =>
    writeFileSync(
      join(folder, 'batch.json'),
      pick(['', 'null', '[]', '{"schema":"flavourbench-rescore-batch-v9"}', '['.repeat(1e5)], ...at),
    ),
  'a state of 3 GB': (folder) => truncateSync(join(folder, 'batch.json'), 3e9),
  'a link in the place of rows': (folder, at) => {
    const path = anyOf(filesOf(folder, 'rows'), at);
    rmSync(path);
    symlinkSync('/etc/passwd', path);
  },
};

/** Shards of a batch of which one is poisoned. */
export function* folderCases({ seed, cwd }) {
  const shards = [1, 2, 3].map((index) => {
    const shard = join(cwd, `shard-${index}`);
    const { code, said } = run([...RESCORE, '--shard', `${index}/3`, '--out', shard], { cwd });
    if (code !== 0) throw new Error(`rescore: exit ${code}: ${said}`);
    return shard;
  });
  for (const [name, change] of Object.entries(CHANGES))
    for (const i of [0, 1, 2]) {
      const at = [seed, 'folder', name, i];
      yield {
        group: 'shards of rescored answers',
        name,
        at: i,
        run() {
          const folder = mkdtempSync(join(tmpdir(), 'folders-'));
          const wrong = [];
          try {
            const of = Math.floor(draw(...at, 'of') * 3);
            const given = shards.map((shard, k) => (k === of ? join(folder, 'poisoned') : shard));
            cpSync(shards[of], given[of], { recursive: true });
            change(given[of], at);
            const { code, said } = run(['merge', ...given, '--out', join(folder, 'merged')], { cwd });
            if (code !== 2) wrong.push(`exit ${code}, 2 is expected: ${said.slice(0, 400)}`);
            if (!said.includes('poisoned')) wrong.push(`does not name the shard: ${said.slice(0, 300)}`);
            if (!/^ {2}hint: /m.test(said)) wrong.push(`no hint: ${said.slice(0, 300)}`);
            if (Object.keys(filesIn(join(folder, 'merged'))).length > 0) wrong.push('wrote something');
            return { wrong, met: true };
          } finally {
            rmSync(folder, { recursive: true });
          }
        },
      };
    }
}
