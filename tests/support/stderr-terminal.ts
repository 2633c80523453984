import { vi } from 'vitest';

const terminal = process.stderr.isTTY;

/** Takes standard error for a terminal and stops the clock at 0; returns what is written to it from now on. */
export function terminalWrites(): string[] {
  const written: string[] = [];
  vi.useFakeTimers({ now: 0 });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  process.stderr.isTTY = true;
  return written;
}

/** Gives standard error and the clock back. */
export function endTerminal(): void {
  vi.restoreAllMocks();
  vi.useRealTimers();
  process.stderr.isTTY = terminal;
}
