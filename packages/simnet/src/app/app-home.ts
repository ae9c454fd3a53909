/** Where an application keeps what survives a crash: one value, replaced whole. */
export interface AppHome {
  readonly load: () => unknown
  /** Durable when it returns. */
  readonly save: (value: unknown) => void
}

export function createAppHome(initial?: unknown): AppHome {
  let value = initial
  return {
    load: () => value,
    save: (next) => {
      value = next
    },
  }
}
