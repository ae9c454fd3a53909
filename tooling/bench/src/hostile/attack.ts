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
   * Sends the load of honest clients until `signal` aborts. The benchmark measures the node with this load, then with
   * the attack in place of the load, and repeats both measurements. If `load` is missing, the first of these
   * measurements has no load. A few other clients send requests during all measurements.
   */
  readonly load?: (target: Target, signal: AbortSignal) => Promise<unknown>
  /** Attacks until `signal` aborts. Returns the number of sent bytes. */
  readonly run: (target: Target, signal: AbortSignal) => Promise<number>
}
