import { sha256 as platformSha256, sha256OfParts as platformSha256OfParts } from '#platform';

/** Takes the lower-case hexadecimal SHA-256 of bytes, or of the UTF-8 bytes of a string. */
export function sha256(data: string | Uint8Array): string {
  return platformSha256(data);
}

/** Takes the lower-case hexadecimal SHA-256 of the UTF-8 bytes of texts, one after the other. */
export function sha256OfParts(texts: readonly string[]): string {
  return platformSha256OfParts(texts);
}

/** Takes the SHA-256 of the parts joined by one NUL byte: the ordering key of the benchmark (compiler 0.2). */
export function orderKey(...parts: readonly string[]): string {
  return platformSha256(parts.join('\0'));
}
