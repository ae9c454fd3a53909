import { type Logger, messageOf } from '@org/runtime'
import { duplicateVoteEvidence, type Evidence, makeDuplicateVoteEvidence, type State, type Vote } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import type { BlockStore, StateStore } from '../store/index.ts'

interface ReportModules {
  readonly stateStore: Pick<StateStore, 'loadSigners'>
  readonly blockStore: Pick<BlockStore, 'loadBlockMeta'>
  readonly logger: Logger
}

/** Pairs of conflicting votes that consensus reported. A pair becomes evidence when the votes' height is over. */
export interface ReportedVotes {
  readonly add: (voteA: Vote, voteB: Vote) => void
  /**
   * Removes all pairs, and returns the evidence that is made of them. The evidence contains the block time and the
   * validators' power of the votes' height.
   */
  readonly take: (next: State) => readonly Evidence[]
  readonly size: () => number
}

/** The maximum numbers of pairs that are kept: of all validators together, and of one validator at one height. */
export interface ReportLimits {
  readonly maxBufferedVotes: number
  readonly maxPendingPerValidator: number
}

/** Creates an empty list of reported votes. */
export function createReportedVotes(
  { maxBufferedVotes, maxPendingPerValidator }: ReportLimits,
  { stateStore, blockStore, logger }: ReportModules,
): ReportedVotes {
  let reported: (readonly [Vote, Vote])[] = []
  /**
   * The kept pairs of each validator at each height since the last `take`, by the signatures of the pairs. Peers can
   * send the same two votes any number of times.
   */
  const kept = new Map<string, Set<string>>()
  /** The validators and heights whose dropped pairs have been logged. */
  const logged = new Set<string>()

  function logDropped({ height }: Vote, address: string): void {
    const key = `${height}/${address}`
    if (logged.has(key)) return
    logged.add(key)
    logger.warn('Dropped conflicting votes, because too many are pending', { height, address })
  }

  function fromVotes([voteA, voteB]: readonly [Vote, Vote], next: State): Evidence | undefined {
    const { height } = voteA
    if (height > next.lastBlockHeight) {
      logger.error('inbound duplicate votes from consensus are of a greater height than current state', {
        duplicate_vote_height: height,
        last_block_height: next.lastBlockHeight,
      })
      return undefined
    }
    try {
      if (height === next.lastBlockHeight) {
        const context = { blockTime: next.lastBlockTime, validators: next.lastValidators }
        return duplicateVoteEvidence(makeDuplicateVoteEvidence(voteA, voteB, context))
      }
      const meta = blockStore.loadBlockMeta(height)
      if (meta === undefined) {
        logger.error('failed to load block time for conflicting votes', { height })
        return undefined
      }
      const context = { blockTime: meta.header.time, validators: stateStore.loadSigners(height) }
      return duplicateVoteEvidence(makeDuplicateVoteEvidence(voteA, voteB, context))
    } catch (error) {
      logger.error('error in generating evidence from votes', { err: messageOf(error) })
      return undefined
    }
  }

  return {
    add: (voteA, voteB) => {
      const address = bytesToHex(voteA.validatorAddress)
      const key = `${voteA.height}/${address}`
      const pairs = kept.get(key) ?? new Set<string>()
      const pair = `${bytesToHex(voteA.signature)}/${bytesToHex(voteB.signature)}`
      if (pairs.has(pair)) return
      if (pairs.size >= maxPendingPerValidator || reported.length >= maxBufferedVotes) {
        logDropped(voteA, address)
        return
      }
      kept.set(key, pairs.add(pair))
      reported.push([voteA, voteB])
    },
    take: (next) => {
      const pairs = reported
      reported = []
      kept.clear()
      logged.clear()
      return pairs.flatMap((pair) => fromVotes(pair, next) ?? [])
    },
    size: () => reported.length,
  }
}
