import { bytesToHex } from '@org/types/bytes'
import { RPC_ERRORS, RpcError } from '../errors.ts'
import type { EventHistory } from '../ports/index.ts'

/** The position in the chain after which a client wants to resume its events. */
export interface ResumePosition {
  readonly height: number
  /** The id of the chain that the height belongs to; absent if the client gives no chain id. */
  readonly chainId?: string | undefined
  /**
   * The first hex digits of the hash of the block at the height, in upper or lower case; absent if the client gives
   * no hash.
   */
  readonly blockHash?: string | undefined
}

/**
 * Throws if a position cannot belong to this chain. The error is an RpcError with one of two codes.
 *
 * `EVENTS_OTHER_CHAIN`: the position names another chain id, or names another block than the stored block at its
 * height. If the block differs, the chain was reset under the same chain id. If no block is stored at this height, the
 * hash is not compared.
 *
 * `EVENTS_AHEAD`: the height of the position is above the last height of the chain. For example, the chain was reset
 * after the client received the position. Without the code `EVENTS_AHEAD`, the client would wait until the new chain
 * reaches the old height, and would miss the earlier events of the new chain.
 */
export function checkResumePosition({ height, chainId, blockHash }: ResumePosition, history: EventHistory): void {
  const ownChainId = history.chainId()
  // The text form of a position contains the chain id, encoded as a URI component. A client may copy the encoded chain
  // id into its request. So `chainId` may be the chain id itself or the encoded chain id.
  if (chainId !== undefined && chainId !== ownChainId && chainId !== encodeURIComponent(ownChainId)) {
    const given = JSON.stringify(chainId.slice(0, 100))
    const why = `the place to resume from belongs to the chain ${given}, but this node runs the chain ${JSON.stringify(ownChainId)}`
    throw fault(RPC_ERRORS.otherChain, `${why}; subscribe again without a place to resume from`, {
      given: chainId,
      chainId: ownChainId,
    })
  }
  const lastHeight = history.lastHeight()
  if (height > lastHeight) {
    const why = `height ${height} has not been reached; the last height is ${lastHeight}`
    throw fault(RPC_ERRORS.ahead, `${why}; resume from a height that this chain has`, { height, lastHeight })
  }
  if (blockHash !== undefined) checkBlock(height, blockHash.toUpperCase(), history)
}

function checkBlock(height: number, given: string, history: EventHistory): void {
  const stored = history.blockHash(height)
  if (stored === undefined) return
  const hash = bytesToHex(stored)
  if (hash.startsWith(given)) return
  const why = `the place to resume from names block ${given} at height ${height}, but this node has block ${hash} at this height`
  const hint = 'the chain was reset under the same chain id; subscribe again without a place to resume from'
  throw fault(RPC_ERRORS.otherChain, `${why}: ${hint}`, { height, given, blockHash: hash })
}

function fault(
  code: typeof RPC_ERRORS.otherChain | typeof RPC_ERRORS.ahead,
  message: string,
  data: Readonly<Record<string, string | number>>,
): RpcError {
  return new RpcError(code, `${code}: ${message}`, { data })
}
