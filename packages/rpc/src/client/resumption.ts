import type { RpcEvent } from './transport.ts'

/** Events of one height that are remembered; beyond that, some may come twice after a resume, none is lost. */
const MAX_REMEMBERED = 10_000

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
  /** Of the last height: a block has several events, and the connection may be lost between two. */
  const seen = new Map<string, number>()
  let expected = new Map<string, number>()

  function wasToldBefore(text: string): boolean {
    const left = expected.get(text) ?? 0
    if (left > 0) expected.set(text, left - 1)
    return left > 0
  }

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
      const text = JSON.stringify(event.data)
      if (wasToldBefore(text)) return false
      if (seen.size < MAX_REMEMBERED) seen.set(text, (seen.get(text) ?? 0) + 1)
      return true
    },
  }
}
