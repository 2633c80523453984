/**
 * How facts become numbers. Part of the identity of the pantry: another weight is another environment.
 *
 * A vector is a weighted sum of fixed random directions, one a fact, and of the company an ingredient keeps in classic
 * dishes. Squares of the weights are shares of a vector before it is made unit length.
 */
export const PANTRY_RECIPE = {
  version: 'flavourbench-pantry/1',
  dims: 300,
  weights: {
    category: 0.35,
    kind: 0.5,
    role: 0.1,
    texture: 0.1,
    /** All flavour notes of an ingredient together; likewise uses and regions. */
    notes: 0.5,
    uses: 0.5,
    regions: 0.35,
    /** Partners in dishes, its own and its kind's. */
    company: 0.65,
    /** What no other ingredient shares, but its partners in dishes meet. */
    own: 0.3,
  },
  /** Part of a note or use that its whole group shares, squared. */
  groupShare: 0.2,
  /** Part of a partner that its whole kind stands for, squared; also the part of company taken from the own kind. */
  kindShare: 0.35,
} as const;

/** Any recipe of this form: the pantry's own, or another one over the same tables. */
export interface PantryRecipe {
  readonly version: string;
  readonly dims: number;
  readonly weights: Readonly<Record<keyof typeof PANTRY_RECIPE.weights, number>>;
  readonly groupShare: number;
  readonly kindShare: number;
}
