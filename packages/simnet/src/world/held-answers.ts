import { createSystemClock, nextTurn } from '@org/runtime'
import { WORLD_ERRORS, WorldError } from './errors.ts'

/** A call whose answer takes real time, such as a call to an application that uses timers or files. */
export interface HeldCall {
  /** The names of the application and of the call, for the error. */
  readonly name: string
  /** Returns false if the node that made the call is dead, because a dead node needs no answer. */
  readonly isWanted: () => boolean
}

/**
 * Answers that take real time, while virtual time stands still. The callers receive the answers in the order of their
 * calls, even if the applications return the answers in another order.
 */
export interface HeldAnswers {
  /**
   * Holds `answer` until a call of `deliverAll` delivers it. The returned promise then settles as `answer` did. The
   * promises of several calls of `hold` settle in the order of these calls.
   */
  readonly hold: <T>(answer: PromiseLike<T>, question: HeldCall) => Promise<T>
  readonly isHolding: () => boolean
  /**
   * Waits until all held answers have come, except the answers for dead nodes, and then delivers them. The time limit
   * begins again with each answer that comes. Rejects with a {@link WorldError} if the time limit ends while an answer
   * is missing.
   */
  readonly deliverAll: () => Promise<void>
}

interface Held extends HeldCall {
  readonly since: number
  deliver: (() => void) | undefined
}

/**
 * Creates a list of held answers. While an answer is missing, at most `withinMs` real milliseconds may pass without any
 * answer. After this time, the function `deliverAll` rejects.
 */
export function createHeldAnswers(withinMs: number): HeldAnswers {
  const clock = createSystemClock()
  let held: Held[] = []
  let lastAnswer = 0
  let onAnswer = (): void => undefined

  const missing = (): Held | undefined => held.find(({ deliver, isWanted }) => deliver === undefined && isWanted())

  /**
   * Waits for an answer, for at most `ms` milliseconds. Resolves with false if an answer came, and with true if the
   * time is over.
   */
  function wait(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = clock.after(ms, () => resolve(true))
      onAnswer = () => {
        timer.cancel()
        resolve(false)
      }
    })
  }

  async function deliverAll(): Promise<void> {
    for (let first = missing(); first !== undefined; first = missing()) {
      const remainingMs = Math.max(first.since, lastAnswer) + withinMs - clock.monotonic()
      if (!(await wait(remainingMs))) continue
      // Other work may have blocked the thread until the time limit, and the answer may have come meanwhile. So the
      // loop checks again before it throws.
      await nextTurn()
      if (first !== missing()) continue
      throw new WorldError(WORLD_ERRORS.noAnswer, `${first.name}: no answer in ${withinMs / 1000} s`, {
        data: { question: first.name },
      })
    }
    const due = held
    held = []
    for (const { deliver, isWanted } of due) if (isWanted()) deliver?.()
  }

  return {
    hold: (answer, { name, isWanted }) =>
      new Promise((resolve, reject) => {
        const entry: Held = { name, isWanted, since: clock.monotonic(), deliver: undefined }
        held.push(entry)
        const settle = (deliver: () => void): void => {
          entry.deliver = deliver
          lastAnswer = clock.monotonic()
          onAnswer()
        }
        answer.then(
          (value) => settle(() => resolve(value)),
          (error: unknown) => settle(() => reject(error)),
        )
      }),
    isHolding: () => held.length > 0,
    deliverAll,
  }
}
