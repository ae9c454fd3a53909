/** Holds answers back that may leave together. */
export interface Sender {
  readonly flush: () => void
}

/**
 * Answers to what one turn of the event loop read leave at its end: one write for all that a connection was answered, and one
 * connection after the other, so that a client on this machine is woken once and not for each of them.
 */
export interface Outbox {
  /** Has `sender` flushed soon. */
  readonly add: (sender: Sender) => void
}

/** As many connections wait for each other; the first is not to wait for hundreds. */
const MAX_SENDERS = 32

export function createOutbox(): Outbox {
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
