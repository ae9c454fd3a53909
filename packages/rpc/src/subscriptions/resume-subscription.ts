import { nextTurn } from '@org/runtime'
import type { EventHistory, EventItem } from '../ports/index.ts'
import { type CatchUpModules, catchUp } from './catch-up.ts'
import { BLOCK_END } from './event-position.ts'

/** A subscription that begins with missed events. */
export interface Resumed {
  readonly start: () => void
  readonly stop: () => void
  /**
   * True after the catch-up has ended: a new event must then be sent at once. While false, the catch-up will read the
   * new event from the stores.
   */
  readonly isLive: () => boolean
}

export interface ResumeOptions {
  readonly query: string
  /** The height of the last block whose events the client has received. */
  readonly after: number
  /** Receives an event, as in {@link catchUp}. */
  readonly deliver: (item: EventItem) => 'more' | 'behind' | 'over'
  /**
   * Waits for a client that reads slowly. Resolves with true when more events can be sent to the client, and with false
   * if the client is gone. {@link catchUp} calls this function.
   */
  readonly drained: () => Promise<boolean>
  readonly onFailed: (error: unknown) => void
}

/**
 * Makes a subscription that begins with missed events. Throws the errors of the history for a query or a height that
 * cannot be resumed.
 */
export function resume(
  { query, after, deliver, drained, onFailed }: ResumeOptions,
  { history, turns }: { readonly history: EventHistory } & Pick<CatchUpModules, 'turns'>,
): Resumed {
  const ended = new AbortController()
  const { signal } = ended
  let hasCaughtUp = false
  const matches = history.matcher(query)
  const first = history.firstAfter(after)
  // Reads the first block now, so that the caller gets an error at once if its events cannot be read.
  if (first <= history.lastHeight()) history.read(first)

  async function run(): Promise<void> {
    // Waits for the next turn of the event loop, so that the client gets the answer to `subscribe` before the first
    // event.
    await nextTurn()
    const isOver = (): boolean => signal.aborted
    await catchUp(
      { after: { height: after, index: BLOCK_END }, matches, deliver, drained, isOver, signal },
      { history, turns },
      () => {
        hasCaughtUp = true
      },
    )
  }
  return {
    isLive: () => hasCaughtUp && !signal.aborted && history.lastHeight() > after,
    start: () => {
      run().catch((error: unknown) => {
        if (!signal.aborted) onFailed(error)
      })
    },
    stop: () => ended.abort(),
  }
}
