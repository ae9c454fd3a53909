import { type PrivateKey, publicKeyOf, sign } from '@org/types/crypto'
import type { Time } from '@org/types/time'
import {
  isPrecommitForBlock,
  proposalSignBytes,
  SignedMsgType,
  type Vote,
  voteExtensionSignBytes,
  voteSignBytes,
} from '@org/types/vote'
import { PRIVVAL_ERRORS, PrivvalError } from './errors.ts'
import type { PrivValidator } from './priv-validator.ts'
import { type HeightRoundStep, isSignedAlready, type SignState, SignStep } from './sign-state.ts'
import { signedProposalTime, signedVoteTime } from './signed-before.ts'

export interface SignerModules {
  /** Writes the state; `durable` resolves when it outlives a power cut. */
  readonly save: (state: SignState) => Promise<{ readonly durable: Promise<void> }>
}

interface Wanted extends HeightRoundStep {
  readonly signBytes: Uint8Array
  /** The time that was signed before, if only the time differs. */
  readonly timeOf: (last: Uint8Array, next: Uint8Array) => Time | undefined
}

interface Signed {
  readonly signature: Uint8Array
  /** Set if it is not the time that was asked for. */
  readonly timestamp: Time | undefined
}

/** A signer with its key in this process. */
export function createSigner(key: PrivateKey, initial: SignState, { save }: SignerModules): PrivValidator {
  const publicKey = publicKeyOf(key)
  let state = initial
  let failure: unknown
  let last: Promise<unknown> = Promise.resolve()
  let durable: Promise<void> = Promise.resolve()

  function fail(error: unknown): never {
    // Nobody knows what is on disk now.
    failure = error
    throw error
  }

  async function signOnce(wanted: Wanted): Promise<Signed> {
    if (failure !== undefined) {
      throw new PrivvalError(PRIVVAL_ERRORS.io, 'the signer stopped after a failed write', { cause: failure })
    }
    const { height, round, step, signBytes } = wanted
    if (isSignedAlready(state, wanted)) {
      const timestamp = wanted.timeOf(state.signBytes, signBytes)
      if (timestamp === undefined) {
        const message = `conflicting data: height ${height} round ${round} step ${step} is signed with other content`
        throw new PrivvalError(PRIVVAL_ERRORS.conflict, message, { data: { height, round, step } })
      }
      return { signature: state.signature, timestamp }
    }
    const signature = sign(key, signBytes)
    const next = { height, round, step, signature, signBytes }
    const saved = await save(next).catch(fail)
    durable = saved.durable.catch(fail)
    // Whoever waits hears of it, now or later.
    durable.catch(() => undefined)
    state = next
    return { signature, timestamp: undefined }
  }

  // One at a time: each is judged by what the one before left.
  async function inTurn(wanted: Wanted, deferred: boolean | undefined): Promise<Signed> {
    const result = last.then(() => signOnce(wanted))
    last = result.catch(() => undefined)
    const signed = await result
    if (deferred !== true) await durable
    return signed
  }

  return {
    pubKey: () => publicKey,
    settled: () => durable,
    signVote: async (chainId, vote, options = {}) => {
      const extensible = isPrecommitForBlock(vote)
      if (!extensible && vote.extension.length > 0) {
        const message = 'unexpected vote extension - extensions are only allowed in non-nil precommits'
        throw new PrivvalError(PRIVVAL_ERRORS.malformed, message)
      }
      const { height, round } = vote
      const signBytes = voteSignBytes(chainId, vote)
      const { signature, timestamp } = await inTurn(
        {
          height,
          round,
          step: stepOf(vote),
          signBytes,
          timeOf: signedVoteTime,
        },
        options.deferred,
      )
      // Applications may extend one vote differently each time, so extensions are signed anew.
      const extended = extensible && (options.withExtension ?? true)
      const extensionSignature = extended ? sign(key, voteExtensionSignBytes(chainId, vote)) : new Uint8Array(0)
      return { ...vote, signature, extensionSignature, timestamp: timestamp ?? vote.timestamp }
    },
    signProposal: async (chainId, proposal, options = {}) => {
      const { height, round } = proposal
      const signBytes = proposalSignBytes(chainId, proposal)
      const { signature, timestamp } = await inTurn(
        {
          height,
          round,
          step: SignStep.propose,
          signBytes,
          timeOf: signedProposalTime,
        },
        options.deferred,
      )
      return { ...proposal, signature, timestamp: timestamp ?? proposal.timestamp }
    },
  }
}

function stepOf(vote: Vote): SignStep {
  if (vote.type === SignedMsgType.prevote) return SignStep.prevote
  if (vote.type === SignedMsgType.precommit) return SignStep.precommit
  throw new PrivvalError(PRIVVAL_ERRORS.malformed, `unknown vote type ${vote.type}`)
}
