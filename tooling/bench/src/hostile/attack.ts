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
   * Sends a load of honest clients until `signal` aborts. The benchmark measures the node twice with this load and
   * twice with the attack, in turns. If `load` is missing, it measures the node twice without a load and twice with the
   * attack. A few clients of the benchmark itself send requests during all measurements.
   */
  readonly load?: (target: Target, signal: AbortSignal) => Promise<unknown>
  /** Attacks until `signal` aborts. Returns the number of sent bytes. */
  readonly run: (target: Target, signal: AbortSignal) => Promise<number>
}
