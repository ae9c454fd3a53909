import type { Recovery } from '../commit/steps.ts'
import { HANDSHAKE_ERRORS, HandshakeError } from './errors.ts'

/** The last heights of application, block store and state, and the first height of the block store. */
export interface Heights {
  readonly app: number
  readonly store: number
  readonly state: number
  readonly base: number
}

/** Returns the height of the block that the state needs next. The first block may have a height above 1. */
function nextOf({ state }: Pick<Heights, 'state'>, initialHeight: number): number {
  return state === 0 ? initialHeight : state + 1
}

/**
 * The advice to the operator if the application needs blocks that the block store does not have. These blocks were
 * pruned, or the home began with a snapshot and never had them.
 */
const REMEDY =
  "Restore a newer copy of the application's data, or remove the blocks (halley reset-state --home <this home>, which keeps the signer's state) and the application's data. An application that keeps its data in memory only, such as proxy_app = kvstore, loses it with each stop: after state sync or pruning, use an application that stores its data, such as persistent_kvstore."

/** Throws if no replay can bring application, block store and state to the same height. */
export function checkHeights({ app, store, state, base }: Heights, initialHeight: number): void {
  const data = { app, store, state, base }
  const fail = (code: (typeof HANDSHAKE_ERRORS)[keyof typeof HANDSHAKE_ERRORS], message: string): never => {
    throw new HandshakeError(code, message, { data })
  }
  if ((app === 0 && initialHeight < base) || (app > 0 && app < base - 1)) {
    fail(
      HANDSHAKE_ERRORS.appTooLow,
      `app block height (${app}) is too far below block store base (${base}): this home does not have the blocks that the application would need. ${REMEDY}`,
    )
  }
  if (store < app) {
    fail(
      HANDSHAKE_ERRORS.appTooHigh,
      `app block height (${app}) is higher than core (${store}): the application has executed blocks that this home does not contain. Restore the home of the node that ran with this application, or reset the application.`,
    )
  }
  if (store < state) {
    fail(HANDSHAKE_ERRORS.stateAheadOfStore, `StateBlockHeight (${state}) > StoreBlockHeight (${store})`)
  }
  if (store > nextOf({ state }, initialHeight)) {
    fail(HANDSHAKE_ERRORS.storeAheadOfState, `StoreBlockHeight (${store}) > StateBlockHeight + 1 (${state + 1})`)
  }
}

/**
 * Returns the work that completes the commit of the last stored block. The caller has checked the heights of the
 * application, the block store and the state with `checkHeights`.
 */
export function recoveryOf(
  { app, store, state }: Omit<Heights, 'base'>,
  { initialHeight, isIndexed }: { readonly initialHeight: number; readonly isIndexed: boolean },
): Extract<Recovery, 'replay-block' | 'replay-responses' | 'index-last-block' | 'none'> {
  if (store === 0) return 'none'
  // If the state lacks the last stored block and the application has committed this block, the stored responses of the
  // block are enough to update the state. If the application has not committed it, the block is run again.
  if (isBehind({ store, state }, initialHeight)) return app === store ? 'replay-responses' : 'replay-block'
  return isIndexed ? 'none' : 'index-last-block'
}

/** Returns true if the last block of the block store has not been applied to the state. */
export function isBehind({ store, state }: Pick<Heights, 'store' | 'state'>, initialHeight: number): boolean {
  return store === nextOf({ state }, initialHeight)
}
