/** A connection that collects its answers. `flush` writes them together. */
export interface Sender {
  readonly flush: () => void
}

/**
 * Collects the connections that have answers to requests of the same turn of the event loop, and lets them write at the
 * end of the turn. Each connection has one write for all of its answers, so a client on the same machine wakes once and
 * not once per answer.
 */
export interface FlushQueue {
  /** Registers a connection. Its `flush` is called at the end of this turn of the event loop, or earlier. */
  readonly add: (sender: Sender) => void
}

/**
 * When this number of connections wait, all of them write at once. So the first connection does not wait for hundreds
 * of other connections.
 */
const MAX_SENDERS = 32

export function createFlushQueue(): FlushQueue {
  let waiting: Sender[] = []
  const flush = (): void => {
    const senders = waiting
    waiting = []
    for (const sender of senders) sender.flush()
  }
  return {
    add: (sender) => {
      waiting.push(sender)
      if (waiting.length === 1) setImmediate(flush)
      else if (waiting.length >= MAX_SENDERS) flush()
    },
  }
}
