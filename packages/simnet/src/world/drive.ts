import type { Scheduler } from './scheduler.ts'

/**
 * Lets virtual time go on, for so many milliseconds at most, until the work is over; says whether it is. What needs no time makes
 * nothing happen. Rejects if the work does.
 */
export async function drive(
  scheduler: Pick<Scheduler, 'run' | 'now'>,
  work: Promise<unknown>,
  withinMs: number,
): Promise<boolean> {
  let isOver = false
  const ended = work.finally(() => {
    isOver = true
  })
  ended.catch(() => undefined)
  await scheduler.run(() => isOver, scheduler.now() + withinMs)
  if (isOver) await ended
  return isOver
}
