/** Models x tasks of integers, complete, with everything inference needs to know about a task. */
export interface ScoreMatrix {
  readonly models: readonly string[];
  readonly tasks: readonly string[];
  /** Per task. */
  readonly panels: readonly string[];
  /** Per task. */
  readonly families: readonly string[];
  /** Per task: the unit that is resampled and flipped whole. */
  readonly clusters: readonly string[];
  /** models x tasks, row-major integers. */
  readonly values: Float64Array;
  /** Integer units in one point: 100 for basis points. */
  readonly scale: number;
  /** Per task, same scale: the value of a uniformly random answer, where known. */
  readonly chance?: Float64Array;
}
