import type { Budget } from '@org/runtime'
import { exactCheckCost, type SignedItem } from '@org/types/crypto'
import type { SignatureChecker } from '../../signatures/index.ts'
import type { RoundState } from '../machine/index.ts'
import type { PeerMessage } from './inbox.ts'
import type { SignatureMemory } from './ports.ts'
import { signedItemsOf } from './signatures.ts'
import type { Ahead } from './verify-ahead.ts'

/**
 * - `pass`: the signatures are valid and remembered, or the machine does not use the message.
 * - `forged`: a signature is invalid.
 * - `later`: the signatures need exact checks, and the budget for exact checks is used up. It is not decided whether
 *   the signatures are valid.
 */
export type Admission = 'pass' | 'forged' | 'later'

export interface SignatureGate {
  /**
   * Checks the signatures of a peer's message before the message is written to the WAL. `isPaid` is true if the message
   * has waited until the budget for exact checks granted its checks. These checks then use no more of the budget.
   */
  readonly admit: (item: PeerMessage, state: Readonly<RoundState>, isPaid: boolean) => Promise<Admission>
  /**
   * Returns the cost of the exact checks that a message still needs, in units of the budget. May be called only if
   * `admit` has returned `later` for this message.
   */
  readonly costOf: (item: PeerMessage) => number
}

export interface SignatureGateModules {
  readonly memory: SignatureMemory
  readonly signatures: Pick<SignatureChecker, 'verifyQuickly' | 'verifyExactly'>
  readonly exactChecks: Pick<Budget, 'tryTake'>
}

/**
 * Decides by the signatures which messages of peers reach the machine. The budget for exact checks can only delay a
 * message. It never changes whether a signature counts as valid.
 */
export function createSignatureGate({ memory, signatures, exactChecks }: SignatureGateModules): SignatureGate {
  /** For each message with the result `later`, the signatures that need an exact check. */
  const refused = new WeakMap<PeerMessage, readonly SignedItem[]>()

  const cost = (items: readonly SignedItem[]): number =>
    items.reduce((sum, { publicKey }) => sum + exactCheckCost(publicKey), 0)

  function checkQuickly(item: PeerMessage, state: Readonly<RoundState>, ahead: Ahead | undefined): Ahead {
    if (ahead !== undefined && (ahead.isForged || ahead.undecided.length > 0)) return ahead
    const undecided: SignedItem[] = []
    for (const signed of signedItemsOf(item.message, state, 'all')) {
      if (memory.has(signed)) continue
      const answer = signatures.verifyQuickly(signed)
      if (answer === false) return { isForged: true, undecided: [] }
      if (answer === true) memory.remember(signed)
      else undecided.push(signed)
    }
    return { isForged: false, undecided }
  }

  function checkExactly(items: readonly SignedItem[]): Admission {
    for (const item of items) {
      if (memory.has(item)) continue
      if (!signatures.verifyExactly(item)) return 'forged'
      memory.remember(item)
    }
    return 'pass'
  }

  return {
    admit: async (item, state, isPaid) => {
      const known = refused.get(item)
      if (known !== undefined && isPaid) return checkExactly(known)
      const { isForged, undecided } = checkQuickly(item, state, await item.ready)
      if (isForged) return 'forged'
      if (undecided.length === 0) return 'pass'
      if (exactChecks.tryTake(cost(undecided))) return checkExactly(undecided)
      refused.set(item, undecided)
      return 'later'
    },
    costOf: (item) => cost(refused.get(item) ?? []),
  }
}
