import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { filesIn, run } from './world.js';

/** Makes a socket at a path, which stays when the server is gone with its process. */
const socket = (path) =>
  execFileSync(process.execPath, [
    '-e',
    "require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))",
    path,
  ]);

/** What stands in a place where a file or a folder is expected; each has what it would lead to in a folder of its own. */
const THINGS = {
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a socket': (path) => {
    try {
      socket(path);
    } catch {
      // Killed before it could take the socket away.
    }
  },
  'a device without end': (path) => execFileSync('mknod', [path, 'c', '1', '5']),
  'a device that is full': (path) => execFileSync('mknod', [path, 'c', '1', '7']),
  'a link to a file': (path, victim) => symlinkSync(join(victim, 'file'), path),
  'a link to a folder': (path, victim) => symlinkSync(join(victim, 'folder'), path),
  'a link to nothing': (path, victim) => symlinkSync(join(victim, 'nothing'), path),
  'a link to itself': (path) => symlinkSync(path, path),
  'a folder of somebody': (path) => {
    mkdirSync(path);
    writeFileSync(join(path, 'letter.txt'), 'mine');
  },
  'a file of somebody': (path) => writeFileSync(path, 'mine'),
};

const isLink = (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
/** What stands at a path: its kind, where it leads, what it holds. */
const standing = (path) => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'nothing';
  if (isLink(path)) return `link ${readlinkSync(path)}`;
  return stat.isFile() || stat.isDirectory() ? JSON.stringify(filesIn(path)) : `special ${stat.mode} ${stat.rdev}`;
};

/** What every refusal has to be, whatever stood in the place. */
function refusalFaults({ code, said }, named, began) {
  const wrong = [];
  if (code !== 2) wrong.push(`exit ${code}, 2 is expected: ${said.slice(0, 300)}`);
  if (!/^flavourbench: [A-Z][A-Z_0-9]+: /m.test(said)) wrong.push(`no code: ${said.slice(0, 300)}`);
  if (!said.includes(named)) wrong.push(`does not name ${named}: ${said.slice(0, 300)}`);
  if (!/^ {2}hint: /m.test(said)) wrong.push(`no hint: ${said.slice(0, 300)}`);
  if (/^ +at /m.test(said)) wrong.push('a stack trace');
  if (performance.now() - began > 30_000) wrong.push('took more than 30 s');
  return wrong;
}

/** Files that were there before and are not as they were. */
const changedFaults = (before, folder) => {
  const now = filesIn(folder);
  return Object.entries(before)
    .filter(([name, data]) => now[name] !== data)
    .map(([name]) => `${name} of ${folder} was changed`);
};

/**
 * Runs a call while something stands in one of its places, and looks at what it did to it and to what it leads to. A folder in the place of a result takes
 * the result beside what lies in it, which stays.
 */
function withThing(make, { args, path, named = path, cwd, takes }) {
  const victim = mkdtempSync(join(tmpdir(), 'victim-'));
  try {
    mkdirSync(join(victim, 'folder'));
    writeFileSync(join(victim, 'file'), 'mine');
    writeFileSync(join(victim, 'folder/letter.txt'), 'mine');
    make(path, victim);
    const before = [standing(path), standing(victim)];
    const files = takes ? filesIn(path) : {};
    const began = performance.now();
    const done = run(args, { cwd });
    if (takes && done.code === 0) return { wrong: changedFaults(files, path), met: false };
    const wrong = refusalFaults(done, named, began);
    if (standing(path) !== before[0]) wrong.push(`${path} was changed`);
    if (standing(victim) !== before[1]) wrong.push('what it leads to was changed');
    return { wrong, met: true };
  } finally {
    rmSync(path, { recursive: true, force: true });
    rmSync(victim, { recursive: true });
  }
}

/** Things that a folder of answers may be, or lead to. */
const READABLE = new Set([
  'a pipe',
  'a link to a file',
  'a link to a folder',
  'a folder of somebody',
  'a file of somebody',
]);

/** Things in the place of the result and of each input of every call. */
export function* placeCases({ calls, cwd }) {
  const place = mkdtempSync(join(tmpdir(), 'places-'));
  for (const [name, call] of Object.entries(calls)) {
    const out = join(place, `result${call.out}`);
    for (const [what, make] of Object.entries(THINGS))
      yield {
        group: 'things in the place of a result',
        name: `${name}, ${what}`,
        at: 0,
        run: () =>
          withThing(make, {
            args: [...call.args, call.to ?? '--out', out],
            path: out,
            cwd,
            takes: what === 'a folder of somebody',
          }),
      };
    for (const [i, word] of call.args.entries()) {
      if (!/\.(?:csv|json|jsonl|yaml)$|^answers$/.test(word)) continue;
      const input = join(place, `input-${word.split('/').at(-1)}`);
      const args = [...call.args.with(i, input), call.to ?? '--out', join(place, `made${call.out}`)];
      // A pipe is waited for. A call whose page goes to others names its inputs without their folders.
      for (const [what, make] of Object.entries(THINGS))
        if (!(word === 'answers' ? READABLE : new Set(['a pipe'])).has(what))
          yield {
            group: 'things in the place of an input',
            name: `${name}, ${word.split('/').at(-1)} is ${what}`,
            at: 0,
            run: () => withThing(make, { args, path: input, named: basename(input), cwd }),
          };
    }
  }
  rmSync(place, { recursive: true });
}
