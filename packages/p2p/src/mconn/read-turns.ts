import type { Clock } from '@org/runtime'

/**
 * The maximum time for reading the packets of all peers in one turn of the event loop, in milliseconds. A packet that
 * is being read is finished even after this time.
 */
export const READ_TURN_MS = 2
/** The number of packets that are read between two readings of the clock. */
export const PACKETS_PER_CLOCK_READING = 4

/**
 * Divides the time for reading packets among the connections of a node, so that peers with very many packets do not
 * delay other work. While there is no other work, packets are read without a pause.
 */
export interface ReadTurns {
  readonly join: () => ReadTurn
}

/** Decides when one connection may read packets. After each call of `begin`, `end` must be called once. */
export interface ReadTurn {
  /**
   * Begins to read. If the time of this turn of the event loop is used up, or if other connections wait, returns a
   * promise that the caller must wait for. Among the waiting connections, the connection that has used the least time
   * is the next.
   */
  readonly begin: () => Promise<void> | undefined
  /**
   * Must be called after each packet. Returns true if the time is over: the connection should then call `end`, and
   * `begin` again.
   */
  readonly isOver: () => boolean
  /** Must be called when no packet is left to read, and when the connection waits for something else. */
  readonly end: () => void
}

interface Reader {
  /**
   * The time, in milliseconds, that this connection has used for reading packets. Among the waiting connections, the
   * connection with the lowest value reads next. When a connection begins to wait, its value is raised to at least
   * `fairTime`. Without this rule, a connection that was idle would read before all other connections for a long time.
   */
  used: number
  since: number
}

interface Waiting {
  readonly reader: Reader
  readonly resume: () => void
}

export function createReadTurns({ monotonic }: Pick<Clock, 'monotonic'>): ReadTurns {
  const queue: Waiting[] = []
  /** The milliseconds that are left in this turn of the event loop. */
  let remainingMs = READ_TURN_MS
  let isTurnWatched = false
  /**
   * The value of {@link Reader.used} that the last connection from the waiting list had when it began to read. A
   * connection that joins or begins to wait has at least this value, so that it gets no extra time for the time in
   * which it was idle.
   */
  let fairTime = 0

  function start(reader: Reader): void {
    reader.since = monotonic()
    if (isTurnWatched) return
    isTurnWatched = true
    setImmediate(beginTurn)
  }

  function beginTurn(): void {
    isTurnWatched = false
    remainingMs = READ_TURN_MS
    serve()
  }

  /** Lets the next waiting connection read. When that connection calls `end`, the connection after it is served. */
  function serve(): void {
    const [next] = queue.splice(indexOfNext(queue), 1)
    if (next === undefined) return
    fairTime = Math.max(fairTime, next.reader.used)
    start(next.reader)
    next.resume()
  }

  function wait(reader: Reader): Promise<void> {
    reader.used = Math.max(reader.used, fairTime)
    return new Promise((resume) => {
      queue.push({ reader, resume })
    })
  }

  function end(reader: Reader): void {
    const elapsed = monotonic() - reader.since
    reader.used += elapsed
    remainingMs -= elapsed
    if (remainingMs > 0) serve()
  }

  return {
    join: () => {
      const reader: Reader = { used: fairTime, since: 0 }
      let packets = 0
      return {
        begin: () => {
          if (remainingMs <= 0 || queue.length > 0) return wait(reader)
          start(reader)
          return undefined
        },
        isOver: () => ++packets % PACKETS_PER_CLOCK_READING === 0 && monotonic() - reader.since >= remainingMs,
        end: () => end(reader),
      }
    },
  }
}

function indexOfNext(queue: readonly Waiting[]): number {
  let next = 0
  queue.forEach(({ reader }, index) => {
    if (reader.used < (queue[next]?.reader.used ?? 0)) next = index
  })
  return next
}
