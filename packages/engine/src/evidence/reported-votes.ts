import { type Logger, messageOf } from '@org/runtime'
import { duplicateVoteEvidence, type Evidence, makeDuplicateVoteEvidence, type State, type Vote } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import type { BlockStore, StateStore } from '../store/index.ts'
import { MAX_EVIDENCE_MESSAGE } from './limits.ts'
import { extensionBytes, fitted, type Pair } from './vote-extensions.ts'

interface ReportModules {
  readonly stateStore: Pick<StateStore, 'loadSigners'>
  readonly blockStore: Pick<BlockStore, 'loadBlockMeta'>
  readonly logger: Logger
}

/** Pairs of conflicting votes that consensus reported. A pair becomes evidence when the votes' height is over. */
export interface ReportedVotes {
  readonly add: (voteA: Vote, voteB: Vote) => void
  /**
   * Removes all pairs of votes, and returns the evidence that is made of them. The evidence also contains the time of
   * the block at the votes' height, and the power of the validators at this height.
   */
  readonly drain: (next: State) => readonly Evidence[]
  readonly size: () => number
}

/**
 * The maximum number of bytes of the extensions in the kept pairs of one validator at one height. The pair that was
 * added last may exceed it. The number of pairs does not limit their memory: a vote may have an extension of a
 * megabyte.
 */
const MAX_KEPT_EXTENSIONS = 2 * MAX_EVIDENCE_MESSAGE

/** The kept pairs of one validator at one height: the signatures of each pair, and the bytes of all extensions. */
interface KeptPairs {
  readonly signatures: Set<string>
  extensionBytes: number
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
  let reported: Pair[] = []
  /**
   * The kept pairs of each validator at each height since the last `drain`. Their signatures show whether a pair was
   * added before: peers can send the same two votes any number of times.
   */
  const kept = new Map<string, KeptPairs>()
  /** The validators and heights whose dropped pairs have been logged. */
  const logged = new Set<string>()

  function logDropped({ height }: Vote, address: string): void {
    const key = `${height}/${address}`
    if (logged.has(key)) return
    logged.add(key)
    logger.warn('Dropped conflicting votes, because too many are pending', { height, address })
  }

  function fromVotes([voteA, voteB]: Pair, next: State): Evidence | undefined {
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
      const pairs = kept.get(key) ?? { signatures: new Set<string>(), extensionBytes: 0 }
      const { signatures } = pairs
      const pair = `${bytesToHex(voteA.signature)}/${bytesToHex(voteB.signature)}`
      if (signatures.has(pair)) return
      const isFull = signatures.size >= maxPendingPerValidator || pairs.extensionBytes >= MAX_KEPT_EXTENSIONS
      if (isFull || reported.length >= maxBufferedVotes) {
        logDropped(voteA, address)
        return
      }
      kept.set(key, pairs)
      signatures.add(pair)
      const fitting = fitted([voteA, voteB], MAX_EVIDENCE_MESSAGE)
      pairs.extensionBytes += extensionBytes(fitting)
      reported.push(fitting)
    },
    drain: (next) => {
      const pairs = reported
      reported = []
      kept.clear()
      logged.clear()
      // The consensus parameter `evidence.max_bytes` limits the bytes of evidence in a block. If the evidence of a pair
      // would exceed the limit, the function `fitted` removes the vote extensions.
      const maxBytes = Number(next.consensusParams.evidence.maxBytes)
      return pairs.flatMap((pair) => fromVotes(fitted(pair, maxBytes), next) ?? [])
    },
    size: () => reported.length,
  }
}
