import {
  compareConsensusPositions,
  isPrecommitForBlock,
  proposalSignBytes,
  SignedMsgType,
  type Vote,
  voteExtensionSignBytes,
  voteSignBytes,
} from '@org/types'
import { type PrivateKey, publicKeyOf, sign, verifySignature } from '@org/types/crypto'
import type { Time } from '@org/types/time'
import { PRIVVAL_ERRORS, PrivvalError } from './errors.ts'
import type { PrivValidator, SignedMessage, SignOptions } from './priv-validator.ts'
import { isSignedAlready, type SignPosition, type SignState, SignStep } from './sign-state.ts'
import { signedProposalTime, signedVoteTime } from './signed-before.ts'

/** The functions by which a signer with a file saves its sign state and signs. */
export interface SignerModules {
  /**
   * Saves the state, and resolves when the state is durable. If the caller passes `after`, the function makes the state
   * durable only after `after` has resolved. Rejects if `after` rejects.
   */
  readonly save: (state: SignState, after?: Promise<unknown>) => Promise<void>
  /** Signs bytes with the key. Default: `sign` of `@org/types`. */
  readonly sign?: typeof sign
}

interface Wanted extends SignPosition {
  readonly signBytes: Uint8Array
  /**
   * Compares the sign bytes `last` and `next`. If they are equal except for the time, returns the time in `last`;
   * otherwise returns `undefined`.
   */
  readonly timeOf: (last: Uint8Array, next: Uint8Array) => Time | undefined
}

interface Signed {
  readonly signature: Uint8Array
  /**
   * If the signer returns an earlier signature again, this is the time in the message that was signed earlier. For a
   * new signature it is `undefined`.
   */
  readonly timestamp: Time | undefined
}

/**
 * Creates a signer with its key in this process. The function is long because it both signs messages and saves the sign
 * state, and both tasks use the same variables.
 */
export function createSigner(key: PrivateKey, initial: SignState, modules: SignerModules): PrivValidator {
  const { save, sign: signWith = sign } = modules
  const publicKey = publicKeyOf(key)
  let state = initial
  /**
   * The number of signatures so far. `saved` is the number of these signatures that the state on disk covers. The
   * signature of the loaded state counts as not saved, because the earlier process may have been killed before the file
   * was synced.
   */
  let signed = initial.signature.length > 0 ? 1 : 0
  let saved = 0
  let saving: Promise<unknown> = Promise.resolve()
  let failure: unknown

  function checkFailure(): void {
    if (failure === undefined) return
    throw new PrivvalError(
      PRIVVAL_ERRORS.io,
      'the signer no longer signs, because writing its state failed before; see the first error and start the node again',
      { cause: failure },
    )
  }

  async function saveUpTo(count: number, wanted: SignState, after?: Promise<unknown>): Promise<void> {
    // A saved state covers all signatures that were made before it, and the signature that it contains. So no write is
    // needed if an earlier call of `makeDurable` has saved the newest signature.
    if (saved >= count) return
    checkFailure()
    try {
      await save(wanted, after)
    } catch (error) {
      // After a failed write, the content of the disk is uncertain. So the signer signs nothing more.
      failure = error
      throw error
    }
    saved = count
  }

  async function makeDurable(after?: Promise<unknown>): Promise<void> {
    const [count, wanted] = [signed, state]
    const mine = saving.then(() => saveUpTo(count, wanted, after))
    saving = mine.catch(() => undefined)
    await mine
    await after
  }

  function signOnce(wanted: Wanted): Signed {
    checkFailure()
    const { height, round, step, signBytes } = wanted
    if (isSignedAlready(state, wanted)) {
      const timestamp = wanted.timeOf(state.signBytes, signBytes)
      if (timestamp === undefined) {
        const message = `conflicting data: height ${height} round ${round} step ${step} is signed with other content`
        throw new PrivvalError(PRIVVAL_ERRORS.conflict, message, { data: { height, round, step } })
      }
      return { signature: state.signature, timestamp }
    }
    const signature = signWith(key, signBytes)
    state = { height, round, step, signature, signBytes }
    signed++
    return { signature, timestamp: undefined }
  }

  async function signDurably(wanted: Wanted, { deferred = false }: SignOptions): Promise<Signed> {
    const result = signOnce(wanted)
    if (!deferred) await makeDurable()
    return result
  }

  return {
    pubKey: () => publicKey,
    isLocal: true,
    makeDurable,
    recall: (chainId, message) => {
      checkFailure()
      const next = stateOf(chainId, message)
      if (compareConsensusPositions(next, state) <= 0 || !verifySignature(publicKey, next.signBytes, next.signature))
        return false
      state = next
      signed++
      return true
    },
    signVote: async (chainId, vote, options = {}) => {
      const extensible = isPrecommitForBlock(vote)
      if (!extensible && vote.extension.length > 0) {
        const message = 'unexpected vote extension - extensions are only allowed in non-nil precommits'
        throw new PrivvalError(PRIVVAL_ERRORS.malformed, message)
      }
      const { height, round } = vote
      const signBytes = voteSignBytes(chainId, vote)
      const { signature, timestamp } = await signDurably(
        {
          height,
          round,
          step: stepOf(vote),
          signBytes,
          timeOf: signedVoteTime,
        },
        options,
      )
      // An application may return a different extension for the same vote each time, so each extension is signed again.
      const extended = extensible && (options.withExtension ?? true)
      const extensionSignature = extended ? signWith(key, voteExtensionSignBytes(chainId, vote)) : new Uint8Array(0)
      return { ...vote, signature, extensionSignature, timestamp: timestamp ?? vote.timestamp }
    },
    signProposal: async (chainId, proposal, options = {}) => {
      const { height, round } = proposal
      const signBytes = proposalSignBytes(chainId, proposal)
      const { signature, timestamp } = await signDurably(
        {
          height,
          round,
          step: SignStep.propose,
          signBytes,
          timeOf: signedProposalTime,
        },
        options,
      )
      return { ...proposal, signature, timestamp: timestamp ?? proposal.timestamp }
    },
  }
}

function stateOf(chainId: string, message: SignedMessage): SignState {
  if (message.kind === 'vote') {
    const { height, round, signature } = message.vote
    return { height, round, step: stepOf(message.vote), signature, signBytes: voteSignBytes(chainId, message.vote) }
  }
  const { height, round, signature } = message.proposal
  const signBytes = proposalSignBytes(chainId, message.proposal)
  return { height, round, step: SignStep.propose, signature, signBytes }
}

function stepOf(vote: Vote): SignStep {
  if (vote.type === SignedMsgType.prevote) return SignStep.prevote
  if (vote.type === SignedMsgType.precommit) return SignStep.precommit
  throw new PrivvalError(PRIVVAL_ERRORS.malformed, `unknown vote type ${vote.type}`)
}
