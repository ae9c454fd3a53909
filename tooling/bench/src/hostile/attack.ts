import type { NetAddress } from '@org/p2p'

/** The data with which an attacker on the network can reach the node under attack. */
export interface Target {
  readonly chainId: string
  readonly p2p: NetAddress
  readonly rpcPort: number
}

/** One kind of hostile behaviour. */
export interface Attack {
  readonly name: string
  /**
   * Sends the load of honest clients until `signal` aborts. The benchmark measures the node in turns: with this load,
   * and with the attack in place of the load. A few other clients send requests in both cases. If `load` is missing,
   * the node is measured with these few clients alone, and with the attack.
   */
  readonly load?: (target: Target, signal: AbortSignal) => Promise<unknown>
  /** Attacks until `signal` aborts. Returns the number of sent bytes. */
  readonly run: (target: Target, signal: AbortSignal) => Promise<number>
}
