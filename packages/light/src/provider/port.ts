import type { LightClientAttackEvidence } from '@org/types/evidence'
import type { ValidatorSet } from '@org/types/validators'
import type { LightBlock } from '../block/light-block.ts'

export interface RequestOptions {
  readonly signal?: AbortSignal
}

export interface LightBlockOptions extends RequestOptions {
  /**
   * A set that is probably the block's. If the header names it, a provider may give it back in place of the block's
   * own, whose proposer priorities differ.
   */
  readonly validators?: ValidatorSet
}

/**
 * An untrusted source of light blocks, usually a node. Adapters: `createHttpProvider`, `createRpcProvider`,
 * `createMemoryProvider`.
 */
export interface Provider {
  readonly chainId: string
  /** The name for logs and errors, such as an address. */
  readonly name: string
  /**
   * The block at a height, or the latest one. It is well formed and of the provider's chain; no signature is verified.
   *
   * Rejects with {@link LightError}: `LIGHT_HEIGHT_TOO_HIGH`, `LIGHT_BLOCK_NOT_FOUND` and `LIGHT_NO_RESPONSE` are no
   * fault of the provider; `LIGHT_BAD_BLOCK` is. Rejects with the signal's reason if it aborts.
   */
  readonly lightBlock: (height: number | undefined, options?: LightBlockOptions) => Promise<LightBlock>
  /** Sends evidence of an attack, so that it becomes a part of the chain. Rejects if the node refuses it. */
  readonly reportEvidence: (evidence: LightClientAttackEvidence, options?: RequestOptions) => Promise<void>
}
