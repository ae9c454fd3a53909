import { CHANNELS } from '@org/engine/consensus/gossip'
import { type Block, type BlockId, hashData, makeBlockParts, type PartSet } from '@org/types/block'
import { Message } from '@org/types/consensus'
import { type PrivateKey, sign } from '@org/types/crypto'
import {
  isPrecommitForBlock,
  type Proposal,
  proposalSignBytes,
  type Vote,
  voteExtensionSignBytes,
  voteSignBytes,
} from '@org/types/vote'
import type { Parcel } from '../peers/index.ts'

/** Whoever has the key may say anything in its name. */
export interface Forger {
  readonly vote: (vote: Vote) => Parcel
  readonly proposal: (proposal: Proposal) => Parcel
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
      return { channel: CHANNELS.vote, bytes: Message.encode({ sum: { case: 'vote', value: { vote } } }) }
    },
    proposal: (given) => {
      const proposal: Proposal = { ...given, signature: sign(key, proposalSignBytes(chainId, given)) }
      return { channel: CHANNELS.data, bytes: Message.encode({ sum: { case: 'proposal', value: { proposal } } }) }
    },
  }
}

export interface OtherBlock {
  readonly blockId: BlockId
  readonly parts: PartSet
}

/** The block with other transactions, as well formed as the first. */
export function withTxs(block: Block, txs: readonly Uint8Array[]): OtherBlock {
  const header = { ...block.header, dataHash: hashData(txs) }
  return makeBlockParts({ ...block, header, data: { ...block.data, txs: [...txs] } })
}

/** The block with an application hash that nobody has. */
export function withWrongAppHash(block: Block): OtherBlock {
  return makeBlockParts({ ...block, header: { ...block.header, appHash: new Uint8Array(32).fill(0xbd) } })
}
