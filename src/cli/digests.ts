/** Both digests of a release folder, each with the file that has it and what it pins; lines to print. */
export function digestLines(address: string | null, numbers: string | null): string[] {
  return [
    `address  ${address ?? 'none'}  (MANIFEST.json: every file)`,
    `numbers  ${numbers ?? 'none'}  (release.json: every number, no picture)`,
  ];
}
