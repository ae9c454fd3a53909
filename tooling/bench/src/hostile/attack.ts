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
   * Sends a load that honest clients could cause, until `signal` aborts. The node is measured during the attack, and
   * also without the attacker for comparison. This load is sent only during the measurements without the attacker. A
   * few other clients send requests during all measurements.
   */
  readonly load?: (target: Target, signal: AbortSignal) => Promise<unknown>
  /** Attacks until `signal` aborts. Returns the number of sent bytes. */
  readonly run: (target: Target, signal: AbortSignal) => Promise<number>
}
