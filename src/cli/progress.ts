import { SingleBar } from 'cli-progress';

export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

/** Shows a bar on standard error while it is a terminal, nothing otherwise. */
export function progress(label: string, unit: string): Progress {
  const bar = new SingleBar({
    format: `${label} [{bar}] {value}/{total} ${unit}`,
    stream: process.stderr,
    noTTYOutput: false,
    clearOnComplete: true,
    hideCursor: true,
  });
  let total = -1;
  return {
    update(done, all) {
      if (total < 0) bar.start(all, done);
      else if (all !== total) bar.setTotal(all);
      total = all;
      bar.update(done);
    },
    stop() {
      if (total >= 0) bar.stop();
    },
  };
}
