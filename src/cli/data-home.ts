import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Finds the data folder of the program: `FLAVOURBENCH_HOME`, else the platform's place for application data. */
export function dataHome(): string {
  const { FLAVOURBENCH_HOME, LOCALAPPDATA, XDG_DATA_HOME } = process.env;
  if (FLAVOURBENCH_HOME) return resolve(FLAVOURBENCH_HOME);
  if (process.platform === 'win32') return join(LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'flavourbench');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'flavourbench');
  return join(XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'flavourbench');
}
