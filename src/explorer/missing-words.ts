/** What scores and intervals are where cells are missing, and what holds whatever these are (decisions 4.2). */
export const MISSING_WORDS =
  'Some cells are missing: a score stands half-way between those with the least and the greatest values there, intervals reach from the one to the other, and models are told apart only where they are whatever the values.';
