declare module 'lz4js' {
  interface Lz4 {
    /** Unpacks `src[sIndex, sIndex + sLength)` to `dst` from `dIndex` on and gives the place after the last byte, which may lie past its end. */
    decompressBlock(src: Uint8Array, dst: Uint8Array, sIndex: number, sLength: number, dIndex: number): number;
  }
  const lz4: Lz4;
  export = lz4;
}
