import type { ByteTransport, TransportHandlers } from './byte-transport.ts'

/** The number of bytes that may wait in one direction before `write` returns false. */
const HIGH_WATER = 1024 * 1024

interface End {
  handlers: TransportHandlers | undefined
  paused: boolean
  readonly inbox: Uint8Array[]
  waiting: number
  closed: boolean
}

/**
 * Makes the two ends of a stream in memory. `schedule` runs each delivery, by default in a later turn of the event
 * loop. A simulation passes its own scheduler.
 */
export function memoryTransportPair(
  addresses: readonly [string, string],
  schedule: (run: () => void) => void = setImmediate,
): readonly [ByteTransport, ByteTransport] {
  const createEnd = (): End => ({ handlers: undefined, paused: true, inbox: [], waiting: 0, closed: false })
  const ends = [createEnd(), createEnd()] as const

  function pump(to: End, from: End): void {
    while (!to.paused && to.handlers !== undefined && !to.closed) {
      const bytes = to.inbox.shift()
      if (bytes === undefined) break
      const wasFull = to.waiting >= HIGH_WATER
      to.waiting -= bytes.length
      to.handlers.data(bytes)
      if (wasFull && to.waiting < HIGH_WATER) from.handlers?.drain()
    }
  }

  function transport(own: End, other: End, remoteAddress: string): ByteTransport {
    return {
      remoteAddress,
      write: (bytes) => {
        if (own.closed) return false
        other.inbox.push(bytes.slice())
        other.waiting += bytes.length
        schedule(() => pump(other, own))
        return other.waiting < HIGH_WATER
      },
      handle: (handlers) => {
        own.handlers = handlers
        if (own.closed) handlers.close(undefined)
      },
      pause: () => {
        own.paused = true
      },
      resume: () => {
        own.paused = false
        schedule(() => pump(own, other))
      },
      close: () => {
        for (const end of [own, other]) {
          if (end.closed) continue
          end.closed = true
          schedule(() => end.handlers?.close(undefined))
        }
      },
    }
  }
  return [transport(ends[0], ends[1], addresses[1]), transport(ends[1], ends[0], addresses[0])]
}
