import type { Scheduler } from './scheduler.ts'

/** Work in progress. */
export interface Watched<T> {
  readonly isOver: () => boolean
  /** The result of the work. Its failure need not be handled. */
  readonly ended: Promise<T>
}

export function watch<T>(work: Promise<T>): Watched<T> {
  let over = false
  const ended = work.finally(() => {
    over = true
  })
  ended.catch(() => undefined)
  return { isOver: () => over, ended }
}

/**
 * Lets virtual time advance, by at most the given milliseconds, until the work is over. Returns true if it is over.
 * Work that needs no time makes no event run. Rejects if the work does.
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
