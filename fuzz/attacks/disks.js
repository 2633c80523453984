import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draw } from '../kills/world.js';
import { filesIn, run } from './world.js';

/** A user who may write nothing that is not his. */
const NOBODY = 65534;

/** Makes a small file system of its own; gives what fills it to so many free pages, what makes it read-only, and what takes it away. */
export function mountSmall({ megabytes = 64, inodes = 0 } = {}) {
  const place = mkdtempSync(join(tmpdir(), 'disk-'));
  const options = `size=${megabytes}m${inodes > 0 ? `,nr_inodes=${inodes}` : ''}`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place]);
  const filler = join(place, 'filler');
  return {
    place,
    fill(pages) {
      writeFileSync(filler, '');
      const { bavail, bsize } = statfsSync(place);
      if (bavail > pages) writeFileSync(filler, Buffer.alloc((bavail - pages) * bsize));
    },
    free: () => rmSync(filler, { force: true }),
    readOnly: (yes) => execFileSync('mount', ['-o', `remount,${yes ? 'ro' : 'rw'}`, place]),
    close() {
      execFileSync('umount', ['-l', place]);
      rmSync(place, { recursive: true });
    },
  };
}

/** Whether this process may mount a file system. */
export function canMount() {
  try {
    mountSmall({ megabytes: 1 }).close();
    return true;
  } catch {
    return false;
  }
}

const sizeOf = (files) =>
  Object.values(files).reduce((sum, base64) => sum + Math.ceil((base64.length * 3) / 4 / 4096) + 1, 2);

/** What a refusal of the file system has to say: its code, a path in that place, why, and what to do. */
function refusalFaults({ code, said }, exit, why, place) {
  const wrong = [];
  if (code !== exit) wrong.push(`exit ${code}, ${exit} is expected: ${said.slice(0, 300)}`);
  if (!/^flavourbench: (FILE_SYSTEM|LEDGER_WRITE_FAILED|OUTPUT_[A-Z_]+): /m.test(said))
    wrong.push(`no code: ${said.slice(0, 300)}`);
  if (!why.test(said)) wrong.push(`does not say why: ${said.slice(0, 300)}`);
  if (!said.includes(place)) wrong.push(`names no path of the place: ${said.slice(0, 300)}`);
  if (!/^ {2}hint: /m.test(said)) wrong.push('no hint');
  if (/^ +at /m.test(said)) wrong.push('a stack trace');
  return wrong;
}

const FULL = /ENOSPC|no space left/;

/** Files that a refused call may not leave: half a result, or a file under a temporary name. */
const leftFaults = (before, after, call) => {
  const names = Object.keys(after);
  const wrong = names
    .filter((name) => /(^|\/)\.[0-9a-f]{18}\.tmp$|\.partial$/.test(name))
    .map((name) => `left ${name}`);
  if (call.goesOn) return wrong;
  for (const [name, data] of Object.entries(before)) if (after[name] !== data) wrong.push(`${name} was changed`);
  for (const name of names) if (!(name in before)) wrong.push(`${name} was left`);
  return wrong;
};

/** What is wrong with the same call once there is room: it has to end well, with the bytes that it writes elsewhere. */
function againFaults({ code, said }, { call, out, whole, cwd }) {
  if (code !== 0) return [`with room: exit ${code}: ${said.slice(0, 300)}`];
  if (call.holds !== undefined) return call.holds(out, cwd) ? [] : ['with room: does not verify'];
  const now = filesIn(out);
  const names = [...new Set([...Object.keys(now), ...Object.keys(whole)])].filter((name) => now[name] !== whole[name]);
  return names.length === 0 ? [] : [`with room: other bytes in ${names.join(', ') || 'the file'}`];
}

/** What stands in the place of a result: nothing, or that of an earlier call, which `force` is given to replace. */
function standing(call, out, cwd, earlier) {
  if (earlier) {
    const { code, said } = run([...call.args, ...call.other, call.to ?? '--out', out], { cwd });
    if (code !== 0) throw new Error(`the earlier result: exit ${code}: ${said.slice(0, 300)}`);
  }
  return { before: filesIn(out), force: earlier ? call.other.filter((word) => word === '--force') : [] };
}

/** One call on a disk that fills up, then again with room; `whole` is what it writes elsewhere. */
function fullDisk({ call, whole, cwd, earlier, pages, inodes }) {
  const disk = mountSmall({ inodes });
  const out = join(disk.place, `result${call.out}`);
  const wrong = [];
  try {
    const { before, force } = standing(call, out, cwd, earlier);
    if (inodes > 0) {
      // Every name that is left but so many.
      const { ffree } = statfsSync(disk.place);
      mkdirSync(join(disk.place, 'names'));
      for (let i = 0; i < ffree - 1 - pages; i += 1) writeFileSync(join(disk.place, `names/${i}`), '');
    } else disk.fill(pages);
    const met = run([...call.args, ...force, call.to ?? '--out', out], { cwd });
    if (met.code !== 0) {
      wrong.push(...refusalFaults(met, 5, FULL, disk.place), ...leftFaults(before, filesIn(out), call));
      wrong.push(...(call.left?.(before, filesIn(out), whole) ?? []));
    }
    if (inodes > 0) rmSync(join(disk.place, 'names'), { recursive: true });
    else disk.free();
    const again = run([...call.args, ...force, call.to ?? '--out', out], { cwd });
    wrong.push(...againFaults(again, { call, out, whole, cwd }));
    return { wrong, met: met.code !== 0 };
  } finally {
    disk.close();
  }
}

/** One call into a place where nothing can be written: a read-only file system, or a folder of somebody else. */
function closedPlace({ call, whole, cwd, earlier, how }) {
  const disk = mountSmall();
  const out = join(disk.place, `result${call.out}`);
  try {
    const { before, force } = standing(call, out, cwd, earlier);
    if (how === 'read-only') disk.readOnly(true);
    else chmodSync(disk.place, 0o555);
    const met = run([...call.args, ...force, call.to ?? '--out', out], {
      cwd,
      as: how === 'read-only' ? null : NOBODY,
    });
    const why = how === 'read-only' ? /EROFS|read-only/ : /EACCES|EPERM|permission denied/;
    const wrong = [
      ...refusalFaults(met, 2, why, disk.place),
      ...leftFaults(before, filesIn(out), { ...call, goesOn: false }),
    ];
    if (how === 'read-only') disk.readOnly(false);
    else {
      chmodSync(disk.place, 0o755);
    }
    const again = run([...call.args, ...force, call.to ?? '--out', out], { cwd });
    wrong.push(...againFaults(again, { call, out, whole, cwd }));
    return { wrong, met: true };
  } finally {
    disk.close();
  }
}

/** Disks of drawn room and places that take nothing, for every call that writes a result. */
export function* diskCases({ seed, calls, cwd, rounds }) {
  for (const [name, call] of Object.entries(calls)) {
    call.before?.(cwd);
    const reference = join(cwd, `whole-${Object.keys(calls).indexOf(name)}${call.out}`);
    const made = run([...call.args, call.to ?? '--out', reference], { cwd });
    if (made.code !== 0) throw new Error(`${name}: exit ${made.code}: ${made.said}`);
    const whole = filesIn(reference);
    const size = sizeOf(whole);
    for (let i = 0; i < rounds; i += 1) {
      const earlier = i % 2 === 1;
      const at = [seed, 'disk', name, i];
      const pages = Math.floor(draw(...at, 'pages') * size);
      yield {
        group: 'disks that fill up',
        name,
        at: i,
        run: () => fullDisk({ call, whole, cwd, earlier, pages, inodes: 0 }),
      };
    }
    yield {
      group: 'disks without a name left',
      name,
      at: 0,
      run: () =>
        fullDisk({ call, whole, cwd, earlier: false, pages: Math.floor(draw(seed, 'names', name) * 3), inodes: 400 }),
    };
    for (const how of ['read-only', 'forbidden'])
      for (const earlier of [false, true])
        yield {
          group: 'places that take nothing',
          name: `${name}, ${how}`,
          at: Number(earlier),
          run: () => closedPlace({ call, whole, cwd, earlier, how }),
        };
  }
}
