/** A long function. */
export function planted(n: number): number {
  let sum = n
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  sum += 1
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  // A comment counts as a line.
  return sum
}
