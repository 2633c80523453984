/** What of a page can be linked to. */
export interface Address {
  /** Name of a view (`views/registry.ts`); empty for the first one that has something to show. */
  readonly view: string;
  /** Column that the leaderboard is sorted by, with `-` before it where the least come last. */
  readonly sort: string;
  /** Text that names of shown models hold. */
  readonly find: string;
  /** Models of the pair view. */
  readonly left: string;
  readonly right: string;
  /** Ids of the model and the task that are looked at; empty for the first. */
  readonly model: string;
  readonly task: string;
  /** Text that listed tasks hold. */
  readonly tasks: string;
  /** Name of the analysis that is looked at; empty for the first. */
  readonly analysis: string;
}

const START: Address = {
  view: '',
  sort: 'rank',
  find: '',
  left: '',
  right: '',
  model: '',
  task: '',
  tasks: '',
  analysis: '',
};

/** Letters of a part of an address at most. */
const LONGEST = 1000;

/** Reads the part of an address after `#`; what it does not know has the value that a page opens with. */
export function readAddress(hash: string): Address {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const read = Object.entries(START).map(([name, start]) => [name, (given.get(name) ?? start).slice(0, LONGEST)]);
  return Object.fromEntries(read) as Address;
}

/** Writes an address; what a page opens with is left out. */
export function addressHash(address: Address): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(address))
    if (value !== START[name as keyof Address]) written.set(name, value);
  return `#${written}`;
}
