/** Which program does the work: parts of one call are done by one program alone. */
export interface Program {
  readonly version: string;
  /** Digest of the sources of its kernels. */
  readonly kernels: string;
}

export const sameProgram = (a: Program, b: Program): boolean => a.version === b.version && a.kernels === b.kernels;

export const programText = ({ version, kernels }: Program): string =>
  `version ${version} with kernels ${kernels.slice(0, 12)}`;
