import {
  type Block,
  type ConsensusPosition,
  copyIncrementProposerPriority,
  type Evidence,
  hashEvidenceItem,
  proposerOf,
  type ValidatorSet,
} from '@org/types'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import type { BlockFault } from './block-rules.ts'
import type { ChainRecord } from './chain-record.ts'

/**
 * Returns why an honest validator must not prevote the block, given the blocks below it; `undefined` if the validator
 * may prevote the block.
 */
export function prevoteFault(
  block: Block,
  record: Pick<ChainRecord, 'at' | 'heightOfEvidence'>,
  blockFault: BlockFault,
): string | undefined {
  const { header, evidence } = block
  const before = record.at(header.height - 1)
  const fault = blockFault(block, before)
  if (fault !== undefined) return `the block ${fault}`
  if (before === undefined) return undefined
  const wanted = [
    ['app hash', header.appHash, before.appHash],
    ['results hash', header.lastResultsHash, before.results],
    ['block before it', header.lastBlockId.hash, before.hash],
    ['validators', header.validatorsHash, before.nextValidators],
  ] as const
  const wrong = wanted.find(([, got, known]) => bytesToHex(got) !== known)
  const isOld = (item: Evidence): boolean =>
    (record.heightOfEvidence(bytesToHex(hashEvidenceItem(item))) ?? header.height) < header.height
  if (evidence.evidence.some(isOld)) return 'the block contains evidence that an earlier block contains'
  return wrong && `the header has another value of '${wrong[0]}' than follows from height ${before.height}`
}

/**
 * Returns a description if a node treats the wrong validator as the proposer of the round, otherwise `undefined`.
 * `validators` is the validator set at the start of round 0 of the height.
 */
export function proposerFault(
  { height, round }: Pick<ConsensusPosition, 'height' | 'round'>,
  proposer: Uint8Array,
  validators: ValidatorSet,
): string | undefined {
  const turned = round === 0 ? validators : copyIncrementProposerPriority(validators, round)
  const wanted = proposerOf(turned)?.address
  if (wanted === undefined || equalBytes(wanted, proposer)) return undefined
  return `${bytesToHex(proposer)} is its proposer of height/round ${height}/${round}, and ${bytesToHex(wanted)} is right`
}
