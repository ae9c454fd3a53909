/** How much a part holds now, by the name of what it holds. Each has a bound in `LIMITS.md`. */
export type Sizes = Readonly<Record<string, number>>

/** Those of several parts, each under the name of its part: `mempool txs`. */
export function joinSizes(parts: Readonly<Record<string, Sizes>>): Sizes {
  const all: Record<string, number> = {}
  for (const [part, sizes] of Object.entries(parts)) {
    for (const [what, size] of Object.entries(sizes)) all[`${part} ${what}`] = size
  }
  return all
}
