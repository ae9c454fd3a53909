import type { RoundState } from '@org/engine/consensus'
import {
  type Block,
  type ConsensusParams,
  isPrecommitForBlock,
  type Vote,
  voteExtensionSignBytes,
  voteSignBytes,
} from '@org/types'
import { bytesToBinary, bytesToHex, equalBytes } from '@org/types/bytes'
import type { Verify } from './block-rules.ts'
import type { ValidatorsAt } from './known-validators.ts'

export interface SentVotesModules {
  readonly chainId: string
  readonly validatorsAt: ValidatorsAt
  readonly verify: Verify
  readonly isAccepted: (vote: Vote) => boolean
}

/**
 * The maximum number of good votes that are remembered. All nodes send each vote to every peer, and a remembered vote
 * is not checked again.
 */
const KEEP = 20_000
/** The least time between a block and a vote for it, in nanoseconds. */
const TIME_STEP = 1_000_000n

/**
 * Returns why a node must not send a vote, given the bytes of the message and the state of the node; `undefined` if the
 * node may send the vote.
 */
export type SentVoteFault = (vote: Vote, bytes: Uint8Array, view: Sender) => string | undefined

export interface Sender {
  /** The height of the sender. */
  readonly height: number
  readonly params: Pick<ConsensusParams, 'abci'>
}

/**
 * Checks that a node sends only votes that it has accepted: it must have verified each signature, and asked the
 * application about each extension.
 */
export function createSentVotes({ chainId, validatorsAt, verify, isAccepted }: SentVotesModules): SentVoteFault {
  const good = new Set<string>()
  /**
   * The sent bytes that were checked. A node sends the same object to all its peers, so the bytes need only one check.
   */
  const checked = new WeakSet<Uint8Array>()

  function faultOf(vote: Vote, { height, params }: Sender): string | undefined {
    const validator = validatorsAt(vote.height)?.validators[vote.validatorIndex]
    if (validator === undefined || !equalBytes(validator.address, vote.validatorAddress))
      return 'which is not of a validator'
    const publicKey = validator.pubKey
    if (!verify({ publicKey, message: voteSignBytes(chainId, vote), signature: vote.signature })) {
      return 'whose signature is invalid'
    }
    const from = params.abci.voteExtensionsEnableHeight
    const extended = from > 0 && vote.height >= from && isPrecommitForBlock(vote)
    if (!extended) return undefined
    const message = voteExtensionSignBytes(chainId, vote)
    if (!verify({ publicKey, message, signature: vote.extensionSignature }))
      return 'whose signature of the extension is invalid'
    // In the reference, a node asks its application about the extension of a vote only if the vote is of the node's
    // present height. So for a vote of another height, this check does not require that an application has accepted the
    // extension.
    if (vote.height === height && !isAccepted(vote)) return 'whose extension no application has accepted'
    return undefined
  }

  return (vote, bytes, view) => {
    if (checked.has(bytes) || validatorsAt(vote.height) === undefined) return undefined
    const key = bytesToBinary(bytes)
    if (good.has(key)) return undefined
    const fault = faultOf(vote, view)
    if (fault !== undefined) {
      const kind = isPrecommitForBlock(vote) ? 'precommit' : 'vote'
      return `sends a ${kind} of ${bytesToHex(vote.validatorAddress)} at height/round ${vote.height}/${vote.round} ${fault}`
    }
    if (good.size >= KEEP) good.clear()
    // The function `faultOf` checks the extension only if the sender is at the height of the vote. If the sender is at
    // another height, the vote is not recorded as good. So the extension is checked when a node at the height of the
    // vote sends the vote.
    if (vote.height !== view.height) return undefined
    good.add(key)
    checked.add(bytes)
    return undefined
  }
}

/** Returns the block that the vote is for, if the sender has it. */
export function blockOfVote(
  { blockId }: Vote,
  { incoming, locked, valid }: Pick<RoundState, 'incoming' | 'locked' | 'valid'>,
): Block | undefined {
  return [incoming, locked, valid].find((each) => each?.block !== undefined && equalBytes(each.hash, blockId.hash))
    ?.block
}

/**
 * Returns a description if the time of an honest vote for the given block is too early, otherwise `undefined`. The
 * earliest permitted time is one millisecond after the time of the block. The median of the votes' times becomes the
 * time of the next block.
 */
export function voteTimeFault({ timestamp }: Vote, { header }: Block): string | undefined {
  if (timestamp >= header.time + TIME_STEP) return undefined
  return `has the time ${timestamp}, which is too early after the time ${header.time} of the block`
}
