import type { Logger } from '@org/runtime'
import { messageOf } from '@org/runtime'
import type { Block, BlockId, EventData, Validator } from '@org/types'
import type { ResponseFinalizeBlock } from '@org/types/abci'
import type { ExecutionEvents } from './ports.ts'

export interface PublishedBlock {
  readonly block: Block
  readonly blockId: BlockId
  readonly response: ResponseFinalizeBlock
  readonly validatorUpdates: readonly Validator[]
}

/** The events of a committed block, in the order in which the reference publishes them. */
export function* blockEvents({ block, blockId, response, validatorUpdates }: PublishedBlock): Generator<EventData> {
  const { height } = block.header
  const { txs } = block.data
  yield { type: 'NewBlock', block, blockId, resultFinalizeBlock: response }
  yield { type: 'NewBlockHeader', header: block.header }
  yield { type: 'NewBlockEvents', height, events: response.events, numTxs: txs.length }
  for (const evidence of block.evidence.evidence) yield { type: 'NewEvidence', height, evidence }
  for (const [index, tx] of txs.entries()) {
    const result = response.txResults[index]
    if (result !== undefined) yield { type: 'Tx', txResult: { height, index, tx, result } }
  }
  if (validatorUpdates.length > 0) yield { type: 'ValidatorSetUpdates', validatorUpdates }
}

/**
 * Publishes the events of a committed block. A subscriber that throws does not stop the node, because the block is
 * committed already.
 */
export function publishBlock(
  published: PublishedBlock,
  { events, logger }: { readonly events: ExecutionEvents; readonly logger: Logger },
): void {
  for (const event of blockEvents(published)) {
    try {
      events.publish(event)
    } catch (error) {
      logger.error('Failed to publish an event', { event: event.type, err: messageOf(error) })
    }
  }
}
