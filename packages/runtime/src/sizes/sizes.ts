/**
 * The numbers of items or bytes that a component of the node holds now, by kind. Each kind has a bound in `LIMITS.md`.
 */
export type Sizes = Readonly<Record<string, number>>

/** The number and the size of the messages and blocks of one peer that a component of the node holds now. */
export interface Held {
  readonly items: number
  /** The approximate number of bytes of memory that the messages and blocks use. */
  readonly bytes: number
}

/**
 * Makes a function that returns the sizes of several components together. The name of each size begins with the name of
 * its component: `mempool txs`. The names are made once, because the returned function may be called often.
 */
export function joinSizes(parts: Readonly<Record<string, () => Sizes>>): () => Sizes {
  const measured = Object.entries(parts).map(([part, sizes]) => ({ part, sizes, names: new Map<string, string>() }))
  return () => {
    const all: Record<string, number> = {}
    for (const { part, sizes, names } of measured) {
      const own = sizes()
      for (const what in own) {
        let name = names.get(what)
        if (name === undefined) {
          name = `${part} ${what}`
          names.set(what, name)
        }
        all[name] = own[what] as number
      }
    }
    return all
  }
}
