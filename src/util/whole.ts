/** Says what is wrong with a number that should be a whole one: past what can be counted, or not whole. */
export function wholeProblem(value: number): string {
  return Number.isInteger(value)
    ? `is out of range: at most ${Number.MAX_SAFE_INTEGER} is expected`
    : 'is not an integer';
}
