/** Which program does the work: parts of one call are done by one program alone. */
export interface Program {
  readonly version: string;
  /** Digest of the sources of its kernels. */
  readonly kernels: string;
}

export const sameProgram = (a: Program, b: Program): boolean => a.version === b.version && a.kernels === b.kernels;

export const programText = ({ version, kernels }: Program): string =>
  `version ${version} with kernels ${kernels.slice(0, 12)}`;

/** Which program, and which shared folder, its calls or parts are of. */
export interface Side {
  readonly program: Program;
  /** Id of the shared folder; null without one. */
  readonly share: string | null;
}

/** Says why a worker does no part of a call; undefined where it does. */
export function misfit(call: Side, worker: Side): string | undefined {
  if (!sameProgram(call.program, worker.program))
    return `the call is of ${programText(call.program)}, the worker is ${programText(worker.program)}`;
  if (call.share === worker.share) return undefined;
  return call.share === null
    ? 'the call keeps its files in Redis, the worker takes them from the folder of its --store'
    : 'the call keeps its files in a folder that the worker was not given with --store';
}
