import type { NetAddress } from '@org/p2p'

/** The node under attack, as anybody on the network sees it. */
export interface Target {
  readonly chainId: string
  readonly p2p: NetAddress
  readonly rpcPort: number
}

/** One kind of hostile behaviour. */
export interface Attack {
  readonly name: string
  /**
   * Sends the same load as honest clients until `signal` aborts. The attack is compared with this load. Without it, the
   * attack is compared with a node that nothing but the usual clients use.
   */
  readonly load?: (target: Target, signal: AbortSignal) => Promise<unknown>
  /** Goes on until `signal` aborts. Says how many bytes were sent. */
  readonly run: (target: Target, signal: AbortSignal) => Promise<number>
}
