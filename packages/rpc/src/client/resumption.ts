import type { RpcEvent } from './transport.ts'

/** Events that a node can tell again. */
const STORED: ReadonlySet<string> = new Set(
  ['NewBlock', 'NewBlockHeader', 'NewBlockEvents', 'NewEvidence', 'Tx'].map((type) => `tendermint/event/${type}`),
)

interface Tall {
  readonly height?: unknown
  readonly block?: { readonly header?: Tall }
  readonly header?: Tall
  readonly TxResult?: Tall
}

/** The height that an event is about. */
export function heightOf({ data }: Pick<RpcEvent, 'data'>): number | undefined {
  const value = (data.value ?? {}) as Tall
  const height = value.height ?? value.block?.header?.height ?? value.header?.height ?? value.TxResult?.height
  return typeof height === 'string' || typeof height === 'number' ? Number(height) : undefined
}

/** Where a subscription stands, so that it can go on elsewhere. */
export interface Progress {
  readonly lastHeight: () => number | undefined
  /** After which height to subscribe again; `undefined` where events cannot be told again, or none came. */
  readonly afterHeight: () => number | undefined
  /** The subscription was made again: what comes of the last height may have come before. */
  readonly restart: () => void
  /** Notes an event; false if it came before. */
  readonly isNew: (event: RpcEvent) => boolean
}

export function createProgress(start: number | undefined): Progress {
  let height: number | undefined
  let resumable = true
  /**
   * How many of each type came of the last height: a block has several events, and the connection may be lost between two.
   * Those of a type always come in the same order.
   */
  const seen = new Map<string, number>()
  let expected = new Map<string, number>()

  return {
    lastHeight: () => height,
    afterHeight: () => {
      if (!resumable) return undefined
      return height === undefined ? start : height - 1
    },
    restart: () => {
      expected = new Map(seen)
    },
    isNew: (event) => {
      resumable &&= STORED.has(event.data.type)
      const at = heightOf(event)
      if (at === undefined) return true
      if (at !== height) {
        seen.clear()
        expected.clear()
        height = at
      }
      if (!resumable) return true
      const { type } = event.data
      const before = expected.get(type) ?? 0
      if (before > 0) {
        expected.set(type, before - 1)
        return false
      }
      seen.set(type, (seen.get(type) ?? 0) + 1)
      return true
    },
  }
}
