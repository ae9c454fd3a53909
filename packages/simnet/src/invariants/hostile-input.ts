import type { Engine } from '@org/engine'
import { CheckTxType, type RequestCheckTx } from '@org/types/abci'
import { Message as BlockSyncMessage } from '@org/types/blocksync'
import { equalBytes } from '@org/types/bytes'
import { proposerOf } from '@org/types/validators'
import type { createBadBlockRules } from './bad-blocks.ts'
import type { SpendRules } from './spend.ts'
import type { WatchedNodes } from './watched-nodes.ts'

interface HostileInputModules {
  readonly nodes: WatchedNodes
  readonly spend: SpendRules
  readonly badBlocks: ReturnType<typeof createBadBlockRules>
}

/** Counts the work that hostile nodes cause. */
export interface HostileInput {
  /** The application of a node checked a transaction. */
  readonly checked: (node: string, request: Partial<RequestCheckTx>) => void
  /** A node has a complete proposal. */
  readonly proposed: (node: string, engine: Engine) => void
  /** A node received a message of block sync. */
  readonly receivedBlock: (by: string, from: string, bytes: Uint8Array) => void
}

export function createHostileInput({ nodes, spend, badBlocks }: HostileInputModules): HostileInput {
  /** The sender of a transaction is charged for the first check only, not for the checks after later blocks. */
  function spendOnTx(node: string, { type, tx }: Partial<RequestCheckTx>): void {
    if (type === CheckTxType.new && tx !== undefined) spend.checked(node, tx)
  }

  /** The hostile validator that proposed a block is charged for the items of the block. */
  function spendOnBlock(node: string, engine: Engine): void {
    if (nodes.distrusted().size === 0) return
    const { proposalBlock, validators } = engine.consensus.roundState()
    const proposer = proposerOf(validators)?.address
    if (proposalBlock === undefined || proposer === undefined) return
    for (const from of nodes.distrusted()) {
      const address = nodes.addressOf(from)
      if (address === undefined || !equalBytes(address, proposer)) continue
      spend.decoded(node, from, proposalBlock.block.data.txs.length)
    }
  }

  /** Counts a block of a hostile peer that block sync receives. */
  function receivedBlock(by: string, from: string, bytes: Uint8Array): void {
    const { sum } = BlockSyncMessage.decode(bytes)
    const height = sum?.case === 'blockResponse' ? sum.value.block?.header.height : undefined
    if (height !== undefined) badBlocks.received(by, from, height)
  }

  return { checked: spendOnTx, proposed: spendOnBlock, receivedBlock }
}
