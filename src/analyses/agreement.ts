/** How other scores of the same models agree with the primary ones. */
export interface Agreement {
  readonly label: string;
  /** Null where it is not defined. */
  readonly correlation: number | null;
  readonly pairOrder: number;
  readonly correlationRange?: readonly [number, number];
  readonly pairRange?: readonly [number, number];
}
