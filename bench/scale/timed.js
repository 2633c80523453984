import { spawn } from 'node:child_process';

/** Runs a program to its end: seconds on the clock and of processors, and peak megabytes, by GNU time. What it prints is dropped. */
export async function timed([command, ...args]) {
  const child = spawn('/usr/bin/time', ['-f', '%e %U %S %M', command, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-10_000);
  });
  const code = await new Promise((done) => child.on('close', done));
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${said}`);
  const [wall, user, system, kilobytes] = said.trim().split('\n').at(-1).split(' ').map(Number);
  return { wall, processor: user + system, megabytes: Math.round((kilobytes * 1024) / 1e6) };
}

/** The run in the middle, by the clock. */
export async function median(runs, run) {
  const all = [];
  for (let i = 0; i < runs; i++) all.push(await run());
  return all.sort((a, b) => a.wall - b.wall)[all.length >> 1];
}

/** Programs side by side: the clock of the last, processor time of all, and the largest of the peaks. */
export async function together(calls) {
  const all = await Promise.all(calls.map(timed));
  return {
    wall: Math.max(...all.map(({ wall }) => wall)),
    processor: all.reduce((sum, { processor }) => sum + processor, 0),
    megabytes: Math.max(...all.map(({ megabytes }) => megabytes)),
  };
}
