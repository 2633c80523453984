import type { FlavourError } from '../../src/util/error.js';

/** What became of a reading: its error as a line. */
export const refusal = async (read: () => unknown): Promise<string> => {
  try {
    await read();
    return 'read';
  } catch (error) {
    const { code, message } = error as FlavourError;
    return `${code}: ${message}`;
  }
};
