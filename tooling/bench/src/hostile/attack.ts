import type { NetAddress } from '@org/p2p'

/** The node under attack, as any node on the network sees it. */
export interface Target {
  readonly chainId: string
  readonly p2p: NetAddress
  readonly rpcPort: number
}

/** One kind of hostile behaviour. */
export interface Attack {
  readonly name: string
  /**
   * Sends the load of honest clients until `signal` aborts. The attack is compared with this load. An attack without
   * this method is compared with a node that only the usual clients use.
   */
  readonly load?: (target: Target, signal: AbortSignal) => Promise<unknown>
  /** Attacks until `signal` aborts. Returns the number of sent bytes. */
  readonly run: (target: Target, signal: AbortSignal) => Promise<number>
}
