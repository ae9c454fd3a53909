import { type Clock, createTurns } from '@org/runtime'

/**
 * The lock that is held while a block is committed. Work that arrives while the lock is held waits. After the release,
 * this work runs in the order of its arrival, in turns of a few milliseconds.
 */
export interface UpdateLock {
  readonly acquire: () => Promise<() => void>
  /** Returns true if work can run immediately: the lock is free, and no earlier work waits. */
  readonly isFree: () => boolean
  /** Runs `work` when the lock is free and all work that waited before has run. */
  readonly whenFree: (work: () => void) => void
  readonly waiting: () => number
}

interface Waiter {
  readonly takesLock: boolean
  readonly run: () => void
}

export function createUpdateLock({ clock }: { readonly clock: Pick<Clock, 'monotonic'> }): UpdateLock {
  let isHeld = false
  let isDraining = false
  let queue: Waiter[] = []
  let at = 0

  const isFree = (): boolean => !isHeld && at === queue.length

  async function drain(): Promise<void> {
    if (isDraining) return
    isDraining = true
    const turns = createTurns(clock)
    while (!isHeld && at < queue.length) {
      const waiter = queue[at++] as Waiter
      if (at === queue.length) {
        queue = []
        at = 0
      }
      if (waiter.takesLock) isHeld = true
      waiter.run()
      if (turns.isDue()) await turns.take()
    }
    isDraining = false
  }

  function releaser(): () => void {
    let released = false
    return () => {
      if (released) return
      released = true
      isHeld = false
      void drain()
    }
  }

  return {
    acquire: () => {
      if (isFree()) {
        isHeld = true
        return Promise.resolve(releaser())
      }
      return new Promise((resolve) => queue.push({ takesLock: true, run: () => resolve(releaser()) }))
    },
    isFree,
    whenFree: (work) => {
      if (isFree()) work()
      else queue.push({ takesLock: false, run: work })
    },
    waiting: () => queue.length - at,
  }
}
