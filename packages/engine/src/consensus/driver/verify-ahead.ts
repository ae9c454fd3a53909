import type { SignedItem } from '@org/types/crypto'
import type { SignatureChecker } from '../../signatures/index.ts'
import type { ConsensusMessage, RoundState } from '../machine/index.ts'
import type { SignatureMemory } from './ports.ts'
import { signedItemsOf } from './signatures.ts'

/**
 * The smallest number of validators with which signatures are verified ahead, which means before the machine needs
 * them. With fewer validators, verifying ahead saves nothing, because signatures arrive one at a time. For one
 * signature, a second thread saves almost no time and costs more processor time.
 */
const MIN_VALIDATORS = 20

/**
 * The maximum number of messages of one peer whose signatures are verified ahead at the same time. The signatures of
 * further messages are verified when the machine reaches these messages. If the peer sends forged signatures, the node
 * usually finds one in its first messages, and then drops its remaining messages.
 */
const MAX_UNDER_WAY = 32

/** The results of the fast check for the signatures of a message. The valid signatures are remembered already. */
export interface Ahead {
  /** True if at least one signature of the message is forged. The exact check would refuse this signature too. */
  readonly isForged: boolean
  /** Signatures that need the exact check. */
  readonly undecided: readonly SignedItem[]
}

/** Verifies signatures before the machine needs them, and remembers the valid ones for the machine. */
export interface AheadVerifier {
  /** Begins to verify the signatures of a message. Returns `undefined` if the signatures are not verified ahead. */
  readonly verify: (
    peerId: string,
    message: ConsensusMessage,
    state: Readonly<RoundState>,
  ) => Promise<Ahead | undefined> | undefined
}

export interface AheadModules extends Pick<SignatureChecker, 'verifyAllQuickly'> {
  readonly memory: SignatureMemory
}

export function createAheadVerifier({ memory, verifyAllQuickly }: AheadModules): AheadVerifier {
  /** The number of messages whose verification has begun and not ended, by peer. */
  const underWay = new Map<string, number>()

  function add(peerId: string, change: 1 | -1): void {
    const count = (underWay.get(peerId) ?? 0) + change
    if (count === 0) underWay.delete(peerId)
    else underWay.set(peerId, count)
  }

  async function verifyMessage(message: ConsensusMessage, state: Readonly<RoundState>): Promise<Ahead> {
    const items = signedItemsOf(message, state).filter((item) => !memory.has(item))
    const answers = items.length === 0 ? [] : await verifyAllQuickly(items)
    for (const [i, item] of items.entries()) if (answers[i] === true) memory.remember(item)
    return { isForged: answers.includes(false), undecided: items.filter((_, i) => answers[i] === undefined) }
  }

  return {
    verify: (peerId, message, state) => {
      if (state.validators.validators.length < MIN_VALIDATORS) return undefined
      if ((underWay.get(peerId) ?? 0) >= MAX_UNDER_WAY) return undefined
      add(peerId, 1)
      return (
        verifyMessage(message, state)
          // If the verifier fails, the result is `undefined`. Then the signatures are verified when the machine reaches
          // the message.
          .catch(() => undefined)
          .finally(() => add(peerId, -1))
      )
    },
  }
}
