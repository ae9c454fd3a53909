import { nextTurn } from '@org/runtime'
import type { EventHistory, EventItem } from '../ports/index.ts'
import { type CatchUpModules, catchUp } from './catch-up.ts'
import { BLOCK_END } from './event-place.ts'

/** A subscription that begins with what was missed. */
export interface Resumed {
  readonly start: () => void
  readonly stop: () => void
  /** Whether an event that happens now is to be sent now; until then it comes from the stores, in its turn. */
  readonly isLive: () => boolean
}

export interface ResumeOptions {
  readonly query: string
  /** Of this height and before, nothing is wanted. */
  readonly after: number
  /** As of {@link catchUp}. */
  readonly take: (item: EventItem) => boolean | Promise<boolean>
  readonly onFailed: (error: unknown) => void
}

/** Throws the history's errors for a query or a height that cannot be resumed. */
export function resume(
  { query, after, take, onFailed }: ResumeOptions,
  { history, turns }: { readonly history: EventHistory } & Pick<CatchUpModules, 'turns'>,
): Resumed {
  let state: 'behind' | 'live' | 'over' = 'behind'
  const matches = history.matcher(query)
  const first = history.firstAfter(after)
  // What cannot be read is told at once.
  if (first <= history.lastHeight()) history.read(first)

  async function run(): Promise<void> {
    // The answer to the call goes first.
    await nextTurn()
    const isOver = (): boolean => state === 'over'
    await catchUp({ after: { height: after, index: BLOCK_END }, matches, take, isOver }, { history, turns }, () => {
      state = 'live'
    })
  }
  return {
    isLive: () => state === 'live' && history.lastHeight() > after,
    start: () => {
      run().catch((error: unknown) => {
        if (state !== 'over') onFailed(error)
      })
    },
    stop: () => {
      state = 'over'
    },
  }
}
