import type { LightClientAttackEvidence, ValidatorSet } from '@org/types'
import type { LightBlock } from '../block/light-block.ts'

/** The options of a request to a node. */
export interface RequestOptions {
  readonly signal?: AbortSignal
}

export interface LightBlockOptions extends RequestOptions {
  /**
   * The validator set that the block probably has. If the header has the hash of this set, a provider may return this
   * set in place of the block's own set. The two sets have the same validators, but may have different proposer
   * priorities.
   */
  readonly validators?: ValidatorSet
}

/**
 * An untrusted source of light blocks, usually a node. Adapters: `createHttpProvider`, `createRpcProvider`, and
 * `createMemoryProvider` of `@org/light/testing`.
 */
export interface Provider {
  readonly chainId: string
  /** The name for logs and errors, such as an address. */
  readonly name: string
  /**
   * Returns the block at a height, or the latest block. The block is well formed and belongs to the provider's chain.
   * No signature is verified.
   *
   * Rejects with {@link LightError}. `LIGHT_HEIGHT_TOO_HIGH`, `LIGHT_BLOCK_NOT_FOUND` and `LIGHT_NO_RESPONSE` do not
   * prove a fault of the provider. `LIGHT_BAD_BLOCK` proves a fault. If the signal aborts, rejects with the reason of
   * the signal.
   */
  readonly lightBlock: (height: number | undefined, options?: LightBlockOptions) => Promise<LightBlock>
  /** Sends evidence of an attack, so that it becomes a part of the chain. Rejects if the node refuses it. */
  readonly reportEvidence: (evidence: LightClientAttackEvidence, options?: RequestOptions) => Promise<void>
}
