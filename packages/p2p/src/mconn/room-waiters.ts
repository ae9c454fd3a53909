import type { Clock } from '@org/runtime'

/**
 * The senders that wait for room in the send queue of a channel. The first sender that waits is the first that
 * continues.
 */
export interface RoomWaiters {
  /**
   * Resolves when a message has left the channel's queue, when `ms` milliseconds have passed, or when the connection
   * has ended.
   */
  readonly wait: (channel: number, ms: number) => Promise<void>
  readonly wakeOne: (channel: number) => void
  readonly wakeAll: () => void
}

export function createRoomWaiters(clock: Clock): RoomWaiters {
  const waiters = new Map<number, (() => void)[]>()
  return {
    wait: (channel, ms) =>
      new Promise((resolve) => {
        const queue = waiters.get(channel) ?? []
        waiters.set(channel, queue)
        const timer = clock.after(ms, () => {
          const at = queue.indexOf(wake)
          if (at >= 0) queue.splice(at, 1)
          resolve()
        })
        const wake = (): void => {
          timer.cancel()
          resolve()
        }
        queue.push(wake)
      }),
    wakeOne: (channel) => waiters.get(channel)?.shift()?.(),
    wakeAll: () => {
      for (const queue of waiters.values()) for (const wake of queue) wake()
      waiters.clear()
    },
  }
}
