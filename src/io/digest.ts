import { hash } from 'node:crypto';

/** Lower-case hexadecimal SHA-256 of bytes, or of the UTF-8 bytes of a string. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** SHA-256 of the parts joined by one NUL byte: the ordering key of the benchmark (compiler 0.2). */
export function orderKey(...parts: readonly string[]): string {
  return sha256(parts.join('\0'));
}
