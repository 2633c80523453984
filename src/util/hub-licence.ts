/** Licences that dataset hubs know by an identifier of their own. */
const KNOWN: ReadonlySet<string> = new Set([
  ...[
    'apache-2.0',
    'mit',
    'bsd',
    'bsd-2-clause',
    'bsd-3-clause',
    'isc',
    'unlicense',
    'artistic-2.0',
    'zlib',
    'wtfpl',
    'pddl',
  ],
  ...['cc0-1.0', 'cc-by-2.0', 'cc-by-2.5', 'cc-by-3.0', 'cc-by-4.0', 'cc-by-sa-3.0', 'cc-by-sa-4.0', 'cc-by-nc-2.0'],
  ...['cc-by-nc-3.0', 'cc-by-nc-4.0', 'cc-by-nd-4.0', 'cc-by-nc-nd-3.0', 'cc-by-nc-nd-4.0', 'cc-by-nc-sa-2.0'],
  ...[
    'cc-by-nc-sa-3.0',
    'cc-by-nc-sa-4.0',
    'cdla-permissive-1.0',
    'cdla-permissive-2.0',
    'cdla-sharing-1.0',
    'odbl',
    'odc-by',
  ],
  ...[
    'gpl-2.0',
    'gpl-3.0',
    'agpl-3.0',
    'lgpl-2.1',
    'lgpl-3.0',
    'mpl-2.0',
    'epl-1.0',
    'epl-2.0',
    'ofl-1.1',
    'gfdl',
    'unknown',
  ],
]);

/**
 * Writes a licence as the header of a data card needs it: by the identifier that hubs know (`CC BY 4.0` is `cc-by-4.0`), `unknown` where none is
 * stated, else `other` with the name.
 */
export function hubLicence(licence: string): readonly string[] {
  const id = licence
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
    .replace(/^creative-commons-/, 'cc-');
  if (id === '' || id === 'not-stated') return ['license: unknown'];
  if (KNOWN.has(id)) return [`license: ${id}`];
  return [
    'license: other',
    `license_name: ${JSON.stringify(
      id
        .replace(/[^a-z0-9.]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 96),
    )}`,
  ];
}
