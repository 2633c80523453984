/** A row of a table that a program printed, and the 1-based line on which it begins. */
export interface PrintedRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A table as it was printed for people; the first row names the columns. */
export interface PrintedTable {
  readonly kind: string;
  readonly rows: readonly PrintedRow[];
}

/** What a print is in which something is left out. */
export const CUT = 'is the print of a table that leaves rows or columns out (..., shown)';

/** What to do about it. */
export const WRITE_ALL =
  'Write all of it from the program that printed it: in pandas `df.to_csv("scores.csv")`, in polars `df.write_csv("scores.csv")`, in R `write.csv(df, "scores.csv")`, in DuckDB `COPY NAME TO \'scores.csv\'`.';

/** What to do about a print whose cells cannot be told apart with certainty. */
export const WRITE_PLAIN =
  'Give one line of names and then a line a row, without cells that span others; or write the table as CSV: in pandas `df.to_csv("scores.csv")`, in R `write.csv(df, "scores.csv")`.';
