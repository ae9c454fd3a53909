import type { Clock, Timer } from '@org/runtime'

type TimerName = 'ping' | 'pong' | 'fade' | 'send' | 'receive'

/**
 * The state of a multiplexed connection, and its timers. The sending half and the receiving half of the connection
 * share it.
 */
export interface Connection {
  readonly isRunning: () => boolean
  readonly hasEnded: () => boolean
  /** Starts the connection. Returns false if it was started or has ended before. */
  readonly start: () => boolean
  /** Ends the connection and stops all timers. Has no effect if the connection has ended before. */
  readonly end: (error: Error | undefined) => void
  /**
   * Calls `run` after `ms` milliseconds if the connection is running then. Replaces an earlier timer with the same
   * name.
   */
  readonly arm: (name: TimerName, ms: number, run: () => void) => void
  readonly disarm: (name: TimerName) => void
  readonly isArmed: (name: TimerName) => boolean
}

/** Creates a connection that is not started. `onEnd` is called once, when the connection ends. */
export function createConnection(clock: Clock, onEnd: (error: Error | undefined) => void): Connection {
  const timers = new Map<TimerName, Timer>()
  let state: 'idle' | 'running' | 'ended' = 'idle'

  function disarm(name: TimerName): void {
    timers.get(name)?.cancel()
    timers.delete(name)
  }

  return {
    isRunning: () => state === 'running',
    hasEnded: () => state === 'ended',
    start: () => {
      if (state !== 'idle') return false
      state = 'running'
      return true
    },
    end: (error) => {
      if (state === 'ended') return
      state = 'ended'
      for (const timer of timers.values()) timer.cancel()
      timers.clear()
      onEnd(error)
    },
    arm: (name, ms, run) => {
      disarm(name)
      const timer = clock.after(ms, () => {
        timers.delete(name)
        if (state === 'running') run()
      })
      timers.set(name, timer)
    },
    disarm,
    isArmed: (name) => timers.has(name),
  }
}
