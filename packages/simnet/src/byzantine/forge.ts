import { CHANNELS } from '@org/engine/protocols'
import {
  Block,
  type BlockId,
  hashBlock,
  hashCommit,
  hashData,
  isPrecommitForBlock,
  makeBlockParts,
  makePartSet,
  type PartSet,
  type Proposal,
  proposalSignBytes,
  type Vote,
  voteExtensionSignBytes,
  voteSignBytes,
} from '@org/types'
import { concatBytes } from '@org/types/bytes'
import { ADDRESS_SIZE, type PrivateKey, sign } from '@org/types/crypto'
import { ConsensusMessage } from '@org/types/messages'
import type { ChannelMessage } from '../peers/index.ts'
import type { Behaviour } from './behaviours.ts'

/** Signs any message with a validator's key. */
export interface Forger {
  readonly vote: (vote: Vote) => ChannelMessage
  readonly proposal: (proposal: Proposal) => ChannelMessage
}

export function createForger(key: PrivateKey, chainId: string): Forger {
  return {
    vote: (given) => {
      const plain = isPrecommitForBlock(given) ? given : { ...given, extension: new Uint8Array(0) }
      const extended = given.extensionSignature.length > 0 && isPrecommitForBlock(plain)
      const vote: Vote = {
        ...plain,
        signature: sign(key, voteSignBytes(chainId, plain)),
        extensionSignature: extended ? sign(key, voteExtensionSignBytes(chainId, plain)) : new Uint8Array(0),
      }
      return { channel: CHANNELS.vote, bytes: ConsensusMessage.encode({ sum: { case: 'vote', value: { vote } } }) }
    },
    proposal: (given) => {
      const proposal: Proposal = { ...given, signature: sign(key, proposalSignBytes(chainId, given)) }
      return {
        channel: CHANNELS.data,
        bytes: ConsensusMessage.encode({ sum: { case: 'proposal', value: { proposal } } }),
      }
    },
  }
}

export interface OtherBlock {
  readonly blockId: BlockId
  readonly parts: PartSet
}

/**
 * Returns the block with these transactions, and with their hash in its header. By the rules of consensus, the result
 * is as valid as `block`.
 */
export function withTxs(block: Block, txs: readonly Uint8Array[]): OtherBlock {
  const header = { ...block.header, dataHash: hashData(txs) }
  return makeBlockParts({ ...block, header, data: { ...block.data, txs: [...txs] } })
}

/** Returns the block with an app hash that no node has computed. */
export function withWrongAppHash(block: Block): OtherBlock {
  return makeBlockParts({ ...block, header: { ...block.header, appHash: new Uint8Array(32).fill(0xbd) } })
}

/** Returns the signature with its last byte changed. */
export function spoiled(signature: Uint8Array): Uint8Array {
  const copy = signature.slice()
  const last = copy.length - 1
  if (last >= 0) copy[last] = (copy[last] as number) ^ 1
  return copy
}

/** Returns the message that contains a vote. The function does not check the vote. */
export function voteMessage(vote: Vote): ChannelMessage {
  return { channel: CHANNELS.vote, bytes: ConsensusMessage.encode({ sum: { case: 'vote', value: { vote } } }) }
}

/**
 * The number of empty transactions in a forged block. Each takes two bytes on the wire. A node refuses a proposed
 * block with more than 250,000 items.
 */
const MANY_EMPTY_TXS = 400_000

/** The bytes of the unknown field 100 with the value 1. */
const UNKNOWN_FIELD = Uint8Array.of(0xa0, 0x06, 1)

const nobody = new Uint8Array(ADDRESS_SIZE).fill(0xbd)

/**
 * The functions that make the forged block of a behaviour from a real block. Each forged block is well formed; most of
 * them contradict their last commit or the state before the block.
 */
export const FORGED_BLOCKS: Readonly<Partial<Record<Behaviour, (block: Block) => OtherBlock | undefined>>> = {
  wrongTime: (block) => makeBlockParts({ ...block, header: { ...block.header, time: block.header.time + 7n } }),
  wrongLastCommit: (block) => {
    const { lastCommit, header } = block
    // The first signature of the commit is changed.
    const at = lastCommit?.signatures.findIndex(({ signature }) => signature.length > 0) ?? -1
    if (lastCommit === undefined || at < 0) return undefined
    const signatures = lastCommit.signatures.map((each, i) =>
      i === at ? { ...each, signature: spoiled(each.signature) } : each,
    )
    const forged = { ...lastCommit, signatures }
    return makeBlockParts({ ...block, header: { ...header, lastCommitHash: hashCommit(forged) }, lastCommit: forged })
  },
  wrongValidators: (block) =>
    makeBlockParts({ ...block, header: { ...block.header, validatorsHash: new Uint8Array(32).fill(0xbd) } }),
  emptyTransactions: (block) =>
    withTxs(
      block,
      Array.from({ length: MANY_EMPTY_TXS }, () => new Uint8Array(0)),
    ),
  otherEncoding: (block) => {
    // Adds a field that the schema of blocks does not have. Decoders skip this field, so only the encoding differs.
    const parts = makePartSet(concatBytes(Block.encode(block), UNKNOWN_FIELD))
    return { blockId: { hash: hashBlock(block), partSetHeader: parts.header }, parts }
  },
  wrongProposer: (block) => makeBlockParts({ ...block, header: { ...block.header, proposerAddress: nobody } }),
}
