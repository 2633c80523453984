declare module 'cli-progress' {
  /** The part of cli-progress that is used here. */
  export class SingleBar {
    constructor(options: {
      format: string;
      stream: NodeJS.WriteStream;
      noTTYOutput: boolean;
      clearOnComplete: boolean;
      hideCursor: boolean;
    });
    start(total: number, value: number): void;
    setTotal(total: number): void;
    update(value: number): void;
    stop(): void;
  }
}
