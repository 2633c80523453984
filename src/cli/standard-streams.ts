import { fstatSync } from 'node:fs';
import { writeWhole } from '../io/temporary.js';

/**
 * Makes standard output tell `failed` what it cannot write, once; a closed pipe ends the process well, for what was asked for has
 * been read. What standard error cannot say is lost. Node's own stream into a file drops what a nearly full disk does not take.
 */
export function watchStreams(failed: (error: NodeJS.ErrnoException) => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!fstatSync(stream.fd).isFile()) continue;
    stream._write = (chunk: Buffer, _, done) => {
      try {
        writeWhole(stream.fd, chunk);
        done();
      } catch (error) {
        done(error as Error);
      }
    };
  }
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    if (error.syscall !== undefined) failed(Object.assign(error, { dest: 'standard output' }));
  });
}
