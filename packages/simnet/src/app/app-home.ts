/** Where an application keeps what survives a crash: one value, replaced whole. */
export interface AppHome {
  readonly load: () => unknown
  /** Durable when it returns, if it is the turn of this one. */
  readonly save: (value: unknown) => void
}

/** An application need not keep every block: the node gives it again what it forgot. It keeps each `every`-th that it saves. */
export function createAppHome(every = 1): AppHome {
  let value: unknown
  let saved = 0
  return {
    load: () => value,
    save: (next) => {
      if (++saved % every === 0) value = next
    },
  }
}
