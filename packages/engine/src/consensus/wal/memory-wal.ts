import type { TimedWalMessage } from '@org/types/messages'
import type { WalStore, WalTail } from './wal.ts'

/** A WAL in memory, for nodes without files and for simulation. `crash` imitates a power failure. */
export interface MemoryWal extends WalStore {
  /** The messages from the last synced end-height mark on; earlier messages were dropped. */
  readonly messages: () => readonly TimedWalMessage[]
  /** Drops the messages that were not synced, except the first `keep` of them. */
  readonly crash: (keep?: number) => void
}

/** Creates an empty write-ahead log in memory. */
export function createMemoryWal(): MemoryWal {
  let messages: TimedWalMessage[] = []
  let synced = 0

  const isMark = ({ msg }: TimedWalMessage): boolean => msg?.sum?.case === 'endHeight'

  function tail(): WalTail {
    const at = messages.findLastIndex(isMark)
    const mark = messages[at]?.msg?.sum
    return { endHeight: mark?.case === 'endHeight' ? mark.value.height : undefined, messages: messages.slice(at + 1) }
  }

  async function sync(): Promise<void> {
    const upTo = messages.length
    await Promise.resolve()
    synced = Math.max(synced, upTo)
    forgetDecided()
  }

  /**
   * Drops the messages before the last synced end-height mark. These messages are never read again, and would fill the
   * memory of a long-running node.
   */
  function forgetDecided(): void {
    const mark = messages.findLastIndex((message, index) => index < synced && isMark(message))
    if (mark <= 0) return
    messages = messages.slice(mark)
    synced -= mark
  }

  return {
    messages: () => messages,
    crash: (keep = 0) => {
      messages = messages.slice(0, synced + keep)
    },
    open: async () => {
      if (messages.length === 0) messages.push({ time: 0n, msg: { sum: { case: 'endHeight', value: { height: 0 } } } })
      synced = messages.length
      return {
        wal: {
          append: (msg, time) => void messages.push({ time, msg }),
          buffered: () => 0,
          flush: () => undefined,
          sync,
          close: sync,
        },
        tail: tail(),
      }
    },
  }
}
