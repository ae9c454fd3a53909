import type { Scheduler } from './scheduler.ts'

/** A promise, and whether it has settled. */
export interface WatchedPromise<T> {
  readonly isOver: () => boolean
  /** Settles like the given promise. If it rejects and no caller handles the error, the error is ignored. */
  readonly ended: Promise<T>
}

export function watch<T>(work: Promise<T>): WatchedPromise<T> {
  let over = false
  const ended = work.finally(() => {
    over = true
  })
  ended.catch(() => undefined)
  return { isOver: () => over, ended }
}

/**
 * Runs virtual time until the work is over, for at most `withinMs` milliseconds. Returns true if the work is over. If
 * the work ends without an event of the simulation, no event runs. Rejects if the work rejects.
 */
export async function drive(
  scheduler: Pick<Scheduler, 'run' | 'now'>,
  work: Promise<unknown>,
  withinMs: number,
): Promise<boolean> {
  const { isOver, ended } = watch(work)
  await scheduler.run(isOver, scheduler.now() + withinMs)
  if (isOver()) await ended
  return isOver()
}
