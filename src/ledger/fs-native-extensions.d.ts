declare module 'fs-native-extensions' {
  interface Extensions {
    /** Locks a range of an open file for writing, unless another open file holds one in it. */
    tryLock(handle: number, offset: number, length: number): boolean;
  }
  const extensions: Extensions;
  export = extensions;
}
