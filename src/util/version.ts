/** The package's own version, as every document we write states it; `tests/house/version.test.ts` holds it to package.json. */
export const VERSION = '0.1.0';

/** Generator ids as documents state them: our counter-based streams, and the replayed ones of NumPy (statistics 6). */
export const RNG_ID = { philox: 'philox4x32-10/1', numpy: 'numpy-pcg64/1' } as const;
