/** The views of a page, by their names in its address. */
export const VIEWS = ['leaderboard', 'pair', 'pairs', 'ranks', 'method'] as const;
export type ViewName = (typeof VIEWS)[number];

/** What of a page can be linked to. */
export interface Address {
  readonly view: ViewName;
  /** Column that the leaderboard is sorted by, with `-` before it where the least come last. */
  readonly sort: string;
  /** Text that names of shown models hold. */
  readonly find: string;
  /** Models of the pair view. */
  readonly left: string;
  readonly right: string;
}

const START: Address = { view: 'leaderboard', sort: 'rank', find: '', left: '', right: '' };

/** Reads the part of an address after `#`; what it does not know has the value that a page opens with. */
export function readAddress(hash: string): Address {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const view = VIEWS.find((name) => name === given.get('view')) ?? START.view;
  const { sort, find, left, right } = START;
  const text = (name: string, otherwise: string) => (given.get(name) ?? otherwise).slice(0, 1000);
  return {
    view,
    sort: text('sort', sort),
    find: text('find', find),
    left: text('left', left),
    right: text('right', right),
  };
}

/** Writes an address; what a page opens with is left out. */
export function addressHash(address: Address): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(address))
    if (value !== START[name as keyof Address]) written.set(name, value);
  return `#${written}`;
}
