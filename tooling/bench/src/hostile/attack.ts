import type { NetAddress } from '@org/p2p'

/** The node under attack, as a stranger on the network can reach it. */
export interface Target {
  readonly chainId: string
  readonly p2p: NetAddress
  readonly rpcPort: number
}

/** One kind of hostile behaviour. */
export interface Attack {
  readonly name: string
  /**
   * Sends the load of honest clients until `signal` aborts. The node under this load is then compared with the node
   * under attack. Without this method, the comparison is with a node that has only the usual clients.
   */
  readonly load?: (target: Target, signal: AbortSignal) => Promise<unknown>
  /** Attacks until `signal` aborts. Returns the number of sent bytes. */
  readonly run: (target: Target, signal: AbortSignal) => Promise<number>
}
