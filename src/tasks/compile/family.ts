import type { MapKernels } from '../../engine/maps.js';
import type { FlavourError } from '../../util/error.js';
import type { ConstraintVariant } from '../feasibility.js';
import type { MapTask } from '../score-maps.js';
import type { CompileDesign } from './compile-design.js';
import type { DocumentFields, FirstPanel, TaskObject } from './taskset-document.js';

/** What a task is about: an ingredient, an item, or a situation that takes its place. */
export interface Anchor {
  readonly name: string;
  readonly category: string;
  /** Row of its vector; null for a situation. */
  readonly row: number | null;
}

/** Something to choose from. */
export interface Choice {
  readonly name: string;
  /** Row of its vector. */
  readonly row: number;
}

/** A task before labels and maps: an anchor, its choices and how hard it is (compiler b.3). */
export interface Candidate<A extends Anchor = Anchor> {
  readonly anchor: A;
  /** In the order the rule found them. */
  readonly choices: readonly Choice[];
  readonly difficulty: number;
  /** The diet and NOVA limit of a released constraint task; null elsewhere. */
  readonly variant: ConstraintVariant | null;
  /** The cuisine of a released regional task; null elsewhere. */
  readonly region: string | null;
}

/** The rules that can turn an anchor down. */
export type Rule =
  | 'pool'
  | 'spread'
  | 'constraint_pool'
  | 'single_cuisine'
  | 'direction'
  | 'distinct_categories'
  | 'few_feasible'
  | 'flat'
  | 'tied_optimum';

/** Why an anchor gives no task of a family. */
export interface Rejection {
  readonly anchor: string;
  readonly variant: ConstraintVariant | null;
  readonly rule: Rule;
  /** The numbers of the matter, as a sentence. */
  readonly detail: string;
}

/** What a family makes of one anchor. */
export interface Generated<A extends Anchor = Anchor> {
  readonly candidates: readonly Candidate<A>[];
  readonly rejections: readonly Rejection[];
}

/** A kind of task. The released families and those that a world declares are objects of this one form. */
export interface Family<A extends Anchor = Anchor> {
  readonly id: string;
  /** In the order they are looked at. Families that hold the same list share one table of similarities. */
  readonly anchors: readonly A[];
  /** Whether `candidates` looks at similarities with the anchor. */
  readonly looksAtSimilarity: boolean;
  /** What the rule makes of one anchor; `similarity` is that with each row of `ranked`, empty where it is not looked at. */
  candidates(anchor: A, similarity: Float64Array): Generated<A>;
  /** What scores every portfolio of these choices, in this order. */
  mapTask(candidate: Candidate<A>, choices: readonly Choice[]): MapTask;
  /** The prompt, names in label order. */
  prompt(candidate: Candidate<A>, names: readonly string[]): string;
  /** What the reference of a task says of its method and anchor; the sizes are the same for all (compiler b.10). */
  reference(candidate: Candidate<A>): TaskObject['oracle_reference'];
}

/** Unit rows, and those among them that rankings are made of. */
export interface VectorTable {
  readonly kernels: MapKernels;
  /** rows x dims, row after row. */
  readonly rows: Float64Array;
  readonly dims: number;
  /** Rows of all that may be a choice, in list order. */
  readonly ranked: Uint32Array;
}

/** Counts and bounds that compiling follows, whatever the families are. */
export type SourceDesign = Pick<
  CompileDesign,
  | 'strata'
  | 'perStratum'
  | 'categoryCap'
  | 'leastCategories'
  | 'excludedAnchors'
  | 'choices'
  | 'select'
  | 'leastFeasible'
  | 'leastRange'
  | 'scoreability'
>;

/** What tasks are compiled from: the released families over an environment, or the families of a world. */
export interface TaskSource extends VectorTable {
  /** Name of the environment or world. */
  readonly name: string;
  /** Every name of the environment or world. */
  readonly names: readonly string[];
  /** In the order they are selected and listed. */
  readonly families: readonly Family[];
  readonly design: SourceDesign;
  /** Version of the wording of its prompts. */
  readonly protocol: string;
  readonly words: SourceWords;
  /** What ids begin with and which split rows name, for the first panel or one that follows it. */
  panel(first: FirstPanel | null): { readonly idPrefix: string; readonly split: string };
  /** What the document says beside what every task set says. */
  document(tasks: readonly TaskObject[]): DocumentFields;
  /** Why a name is the anchor of no family. */
  noAnchor(name: string): FlavourError;
}

/** How messages speak of a source. */
interface SourceWords {
  /** What gives candidates. */
  readonly anchors: string;
  /** Where the reader finds the keys of the design. */
  readonly design: string;
  /** What to do about a family that no anchor gives a candidate of. */
  readonly emptyFamily: string;
  /** What to do where there is no anchor at all. */
  readonly noAnchors: string;
}

/** Forms the similarities of some rows (row 0 for a situation) with every row of `ranked`: left x ranked, row after row. */
export function similaritiesTo(
  { kernels, rows, dims, ranked }: VectorTable,
  left: readonly Pick<Anchor, 'row'>[],
): Float64Array {
  return kernels.gram({ rows, dims, left: Uint32Array.from(left, ({ row }) => row ?? 0), right: ranked });
}
