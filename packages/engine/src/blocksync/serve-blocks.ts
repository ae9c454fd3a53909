import type { Peer } from '@org/p2p'
import type { Logger } from '@org/runtime'
import { ExtendedCommit } from '@org/types'
import { BlockSyncMessage } from '@org/types/messages'
import type { BlockStore } from '../store/index.ts'
import { encodeBlockResponse } from './block-message.ts'
import { BLOCKSYNC_CHANNEL } from './options.ts'

export interface ServedBlocks {
  readonly blockStore: Pick<BlockStore, 'base' | 'height' | 'loadBlockMeta' | 'loadBlockPart' | 'loadExtendedCommit'>
  /** Returns whether precommits of this height have extensions. */
  readonly extensionsEnabled: (height: number) => boolean
  /** Called with the size in bytes of each answer that is sent. */
  readonly onServed?: ((bytes: number) => void) | undefined
  readonly logger: Logger
}

export function statusResponse({ blockStore }: ServedBlocks): Uint8Array {
  const value = { height: blockStore.height(), base: blockStore.base() }
  return BlockSyncMessage.encode({ sum: { case: 'statusResponse', value } })
}

/**
 * Returns the answer to a peer that requests a block: the stored block, or a message that this node does not have the
 * block.
 */
export function blockResponse({ blockStore, extensionsEnabled }: ServedBlocks, height: number): Uint8Array {
  const none = (): Uint8Array => BlockSyncMessage.encode({ sum: { case: 'noBlockResponse', value: { height } } })
  const meta = blockStore.loadBlockMeta(height)
  if (meta === undefined) return none()
  const pieces: Uint8Array[] = []
  for (let index = 0; index < meta.blockId.partSetHeader.total; index++) {
    const part = blockStore.loadBlockPart(height, index)
    // The block was pruned, but its meta (block id and header) was kept, because evidence may need the header.
    if (part === undefined) return none()
    pieces.push(part.bytes)
  }
  const extended = extensionsEnabled(height) ? blockStore.loadExtendedCommit(height) : undefined
  if (extended === undefined && extensionsEnabled(height)) return none()
  return encodeBlockResponse(pieces, extended && ExtendedCommit.encode(extended))
}

/**
 * Answers the requests of one peer in order. The block of a request is loaded only after the answers to earlier
 * requests were queued. Until then, only the height of the request is in memory.
 */
export interface BlockServer {
  /** Returns false if too many requests wait already. */
  readonly request: (height: number) => boolean
  /** The number of waiting requests. */
  readonly size: () => number
  readonly stop: () => void
}

export function createBlockServer(
  peer: Peer,
  { maxQueuedRequests }: { readonly maxQueuedRequests: number },
  blocks: ServedBlocks,
): BlockServer {
  let waiting: number[] = []
  let isSending = false

  async function serve(): Promise<void> {
    isSending = true
    try {
      for (let height = waiting.shift(); height !== undefined; height = waiting.shift()) {
        const message = blockResponse(blocks, height)
        blocks.onServed?.(message.length)
        if (!peer.trySend(BLOCKSYNC_CHANNEL, message)) await peer.send(BLOCKSYNC_CHANNEL, message)
      }
    } catch (error) {
      blocks.logger.error('Failed to load a block for a peer', { peer: peer.id, err: (error as Error).message })
    } finally {
      // No request can arrive between the last `waiting.shift()` and this line, because both are in one turn of the
      // event loop. So a request that comes later finds `isSending` false, and starts the loop again.
      isSending = false
    }
  }

  return {
    request: (height) => {
      if (waiting.length >= maxQueuedRequests) return false
      waiting.push(height)
      if (!isSending) void serve()
      return true
    },
    size: () => waiting.length,
    stop: () => {
      waiting = []
    },
  }
}
