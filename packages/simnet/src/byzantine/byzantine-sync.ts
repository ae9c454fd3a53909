import { type Block, type Commit, hashCommit, hashData } from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { BlockSyncMessage } from '@org/types/messages'
import type { ChannelMessage } from '../peers/index.ts'
import { type Behaviour, SYNC_LIES } from './behaviours.ts'
import { spoiled } from './forge.ts'

const FAR_HEIGHT = 1_000_000_000
/**
 * The number of empty transactions in a large block. Each takes two bytes on the wire, and about 250 bytes in memory.
 */
const EMPTY_TXS = 20_000
/**
 * For each behaviour, the number of first blocks: the blocks that a peer requests first. The dishonest node treats the
 * first blocks differently from the later blocks.
 *
 * The behaviour `largeBlocks`: the dishonest node does not send the first two blocks, and sends all later blocks. The
 * peer cannot apply a later block without the first two, so the later blocks stay in the memory of the peer.
 *
 * The behaviour `badBlocks`: the dishonest node sends only the first block. A second bad block could arrive after the
 * peer has dropped the node, and would then count as a block without a request.
 */
const FIRST = { largeBlocks: 2, badBlocks: 1 } as const

/** Returns the messages that replace a message of block sync. */
export type ByzantineSync = (to: string, channelMessage: ChannelMessage) => readonly ChannelMessage[]

export interface ByzantineSyncModules {
  /** The name of the node. The number in the name selects the kind of bad blocks that the node sends. */
  readonly name: string
  readonly behaviours: readonly Behaviour[]
  readonly onDeed: (behaviour: Behaviour) => void
}

function withBadCommit(block: Block): Block {
  const { lastCommit } = block
  if (lastCommit === undefined) return withOtherTxs(block)
  const signatures = lastCommit.signatures.map((each) => ({ ...each, signature: spoiled(each.signature) }))
  const forged: Commit = { ...lastCommit, signatures }
  return { ...block, header: { ...block.header, lastCommitHash: hashCommit(forged) }, lastCommit: forged }
}

/**
 * Returns a well-formed block with other transactions. The validators signed the parts of the real block, not the
 * parts of this block.
 */
function withOtherTxs(block: Block, txs: readonly Uint8Array[] = [utf8ToBytes('tx:bad')]): Block {
  return { ...block, header: { ...block.header, dataHash: hashData(txs) }, data: { ...block.data, txs: [...txs] } }
}

const ofOtherChain = (block: Block): Block => ({ ...block, header: { ...block.header, chainId: 'another-chain' } })

const SPOIL = [(block: Block) => withOtherTxs(block), ofOtherChain, withBadCommit] as const

/** Returns a function that lies about the blocks that the node has. */
export function createByzantineSync({ name, behaviours, onDeed }: ByzantineSyncModules): ByzantineSync {
  const kind = SYNC_LIES.find((each) => behaviours.includes(each))
  if (kind === undefined) return (_to, channelMessage) => [channelMessage]
  const claims = kind === 'claimEveryHeight' || kind === 'claimFutureHeights'
  const txs = Array.from({ length: EMPTY_TXS }, () => new Uint8Array(0))
  const spoil = SPOIL[Number(name.slice(1)) % SPOIL.length] ?? withOtherTxs
  /** For each peer, the heights of the first blocks that the peer requested. */
  const first = new Map<string, Set<number>>()

  function blockFor(to: string, block: Block): Block | undefined {
    const { height } = block.header
    const heights = first.get(to) ?? new Set()
    first.set(to, heights)
    if (heights.size < FIRST[kind as 'badBlocks' | 'largeBlocks']) heights.add(height)
    if (kind === 'badBlocks') return heights.has(height) ? spoil(block) : undefined
    return heights.has(height) ? undefined : withOtherTxs(block, txs)
  }

  return (to, channelMessage) => {
    const message = (sum: BlockSyncMessage['sum']): ChannelMessage => ({
      channel: channelMessage.channel,
      bytes: BlockSyncMessage.encode({ sum }),
    })
    const { sum } = BlockSyncMessage.decode(channelMessage.bytes)
    if (sum?.case === 'statusResponse' && claims) {
      onDeed(kind)
      return [message({ case: 'statusResponse', value: { base: 1, height: FAR_HEIGHT } })]
    }
    if (sum?.case === 'noBlockResponse' && claims) return []
    if (sum?.case !== 'blockResponse' || kind === 'claimFutureHeights') return [channelMessage]
    if (kind === 'claimEveryHeight' || sum.value.block === undefined) return []
    onDeed(kind)
    const block = blockFor(to, sum.value.block)
    return block === undefined ? [] : [message({ case: 'blockResponse', value: { ...sum.value, block } })]
  }
}
