import type { RoundState } from '@org/engine/consensus/machine'
import type { Block } from '@org/types/block'
import { bytesToBinary, bytesToHex, equalBytes } from '@org/types/bytes'
import type { ConsensusParams } from '@org/types/params'
import { isPrecommitForBlock, type Vote, voteExtensionSignBytes, voteSignBytes } from '@org/types/vote'
import type { Verify } from './block-rules.ts'
import type { ValidatorsAt } from './known-validators.ts'

export interface ToldVotesModules {
  readonly chainId: string
  readonly validatorsAt: ValidatorsAt
  readonly verify: Verify
  readonly isAccepted: (vote: Vote) => boolean
}

/** Votes that are remembered as good: each is told to every peer, and by all nodes. */
const KEEP = 20_000
/** A vote is so much later than the block that it is for, at least. */
const TIME_STEP = 1_000_000n

/** Says why a node must not tell a vote, given the bytes it told and where it is. */
export type ToldVoteFault = (vote: Vote, bytes: Uint8Array, view: ToldBy) => string | undefined

export interface ToldBy {
  /** Height of the one who tells. */
  readonly height: number
  readonly params: Pick<ConsensusParams, 'abci'>
}

/** What a node tells it has taken: it must have looked at each signature, and asked the application about each extension. */
export function createToldVotes({ chainId, validatorsAt, verify, isAccepted }: ToldVotesModules): ToldVoteFault {
  const good = new Set<string>()
  /** The same, by what the bytes are in memory: a node tells all its peers the same. */
  const told = new WeakSet<Uint8Array>()

  function faultOf(vote: Vote, { height, params }: ToldBy): string | undefined {
    const validator = validatorsAt(vote.height)?.validators[vote.validatorIndex]
    if (validator === undefined || !equalBytes(validator.address, vote.validatorAddress)) return 'of no validator'
    const publicKey = validator.pubKey
    if (!verify({ publicKey, message: voteSignBytes(chainId, vote), signature: vote.signature })) {
      return 'that is not signed by it'
    }
    const from = params.abci.voteExtensionsEnableHeight
    const extended = from > 0 && vote.height >= from && isPrecommitForBlock(vote)
    if (!extended) return undefined
    const message = voteExtensionSignBytes(chainId, vote)
    if (!verify({ publicKey, message, signature: vote.extensionSignature }))
      return 'whose extension is not signed by it'
    // Later than that, the reference asks nobody.
    if (vote.height === height && !isAccepted(vote)) return 'whose extension no application has accepted'
    return undefined
  }

  return (vote, bytes, view) => {
    if (told.has(bytes) || validatorsAt(vote.height) === undefined) return undefined
    const key = bytesToBinary(bytes)
    if (good.has(key)) return undefined
    const fault = faultOf(vote, view)
    if (fault !== undefined) {
      const kind = isPrecommitForBlock(vote) ? 'precommit' : 'vote'
      return `tells a ${kind} of ${bytesToHex(vote.validatorAddress)} at ${vote.height}/${vote.round} ${fault}`
    }
    if (good.size >= KEEP) good.clear()
    // One that was not held against the application may be told by another who must have asked.
    if (vote.height !== view.height) return undefined
    good.add(key)
    told.add(bytes)
    return undefined
  }
}

/** The block that a vote is for, if who shows it has it. */
export function blockOfVote(
  { blockId }: Vote,
  { proposalBlock, locked, valid }: Pick<RoundState, 'proposalBlock' | 'locked' | 'valid'>,
): Block | undefined {
  return [proposalBlock, locked, valid].find((each) => each !== undefined && equalBytes(each.hash, blockId.hash))?.block
}

/** Why an honest vote for the block is too early: the next block's time is the median of such votes. */
export function voteTimeFault({ timestamp }: Vote, { header }: Block): string | undefined {
  if (timestamp >= header.time + TIME_STEP) return undefined
  return `is of ${timestamp}, and the block of ${header.time}`
}
