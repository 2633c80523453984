declare module 'cli-progress' {
  /** The part of cli-progress that is used here. */
  export class SingleBar {
    constructor(options: {
      format: string;
      stream: NodeJS.WriteStream;
      noTTYOutput: boolean;
      clearOnComplete: boolean;
      hideCursor: boolean;
      barsize?: number;
    });
    start(total: number, value: number, payload?: Readonly<Record<string, string>>): void;
    setTotal(total: number): void;
    update(value: number, payload?: Readonly<Record<string, string>>): void;
    stop(): void;
  }
}
