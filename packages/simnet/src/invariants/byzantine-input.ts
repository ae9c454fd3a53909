import type { BlockMaking } from '@org/engine'
import { proposerOf } from '@org/types'
import { CheckTxType, type RequestCheckTx } from '@org/types/abci'
import { equalBytes } from '@org/types/bytes'
import { BlockSyncMessage } from '@org/types/messages'
import type { createBadBlockRules } from './bad-blocks.ts'
import type { ProcessingCostRules } from './processing-cost.ts'
import type { WatchedNodes } from './watched-nodes.ts'

interface ByzantineInputModules {
  readonly nodes: WatchedNodes
  readonly spend: ProcessingCostRules
  readonly badBlocks: ReturnType<typeof createBadBlockRules>
}

/** Counts the work that hostile nodes cause. */
export interface ByzantineInput {
  /** To be called when the application of a node checked a transaction. */
  readonly checked: (node: string, request: Partial<RequestCheckTx>) => void
  /** To be called when a node has a complete proposal. */
  readonly proposed: (node: string, engine: BlockMaking) => void
  /** To be called when a node received a message of block sync from a peer that sends bad blocks. */
  readonly receivedBlock: (by: string, from: string, bytes: Uint8Array) => void
}

export function createByzantineInput({ nodes, spend, badBlocks }: ByzantineInputModules): ByzantineInput {
  /**
   * Adds the first check of a transaction to the costs of the hostile node that sent the transaction. The checks after
   * later blocks (rechecks) are not added.
   */
  function spendOnTx(node: string, { type, tx }: Partial<RequestCheckTx>): void {
    if (type === CheckTxType.new && tx !== undefined) spend.checked(node, tx)
  }

  /**
   * If a hostile validator proposed the block, adds the number of the block's transactions to the validator's costs.
   */
  function spendOnBlock(node: string, engine: BlockMaking): void {
    if (nodes.distrusted().size === 0) return
    const { incoming, validators } = engine.consensus.roundState()
    const proposer = proposerOf(validators)?.address
    if (incoming?.block === undefined || proposer === undefined) return
    for (const from of nodes.distrusted()) {
      const address = nodes.addressOf(from)
      if (address === undefined || !equalBytes(address, proposer)) continue
      spend.decoded(node, from, incoming.block.data.txs.length)
    }
  }

  /** Records a block that a node received by block sync from a peer that sends bad blocks. */
  function receivedBlock(by: string, from: string, bytes: Uint8Array): void {
    const { sum } = BlockSyncMessage.decode(bytes)
    const height = sum?.case === 'blockResponse' ? sum.value.block?.header.height : undefined
    if (height !== undefined) badBlocks.received(by, from, height)
  }

  return { checked: spendOnTx, proposed: spendOnBlock, receivedBlock }
}
