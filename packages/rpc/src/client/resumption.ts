import type { RpcEvent } from './transport.ts'

/** Types of events that a node can send again, from its stores. */
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

/** The position of a subscription, so that it can continue on another connection. */
export interface Progress {
  readonly lastHeight: () => number | undefined
  /**
   * The height after which the events must begin when the client subscribes again. Before the first event, this is the
   * height with which the subscription began, or `undefined` if it began without a height. After an event of a type
   * that nodes do not store, the height is always `undefined`, because nodes cannot send missed events of this type
   * again.
   */
  readonly afterHeight: () => number | undefined
  /**
   * Must be called before the client subscribes again. The node may then send the events of the last height a second
   * time, and `isNew` returns false for those that the client has.
   */
  readonly restart: () => void
  /** Records an event. Returns false if the event was received before. */
  readonly isNew: (event: RpcEvent) => boolean
}

export function createProgress(start: number | undefined): Progress {
  let height: number | undefined
  let resumable = true
  /**
   * The number of received events of the last height, by the type of the event. A block has several events, and the
   * connection may be lost between two of them. Events of one type always come in the same order.
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
