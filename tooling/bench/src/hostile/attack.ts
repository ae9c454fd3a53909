import type { NetAddress } from '@org/p2p'

/** The data with which a stranger on the network can reach the node under attack. */
export interface Target {
  readonly chainId: string
  readonly p2p: NetAddress
  readonly rpcPort: number
}

/** One kind of hostile behaviour. */
export interface Attack {
  readonly name: string
  /**
   * Sends a load that honest clients could cause, until `signal` aborts. Each attack is compared with a second
   * measurement, in which the attacker sends nothing. If the attack has this method, this load is sent during the
   * second measurement. A few other clients send requests during both measurements.
   */
  readonly load?: (target: Target, signal: AbortSignal) => Promise<unknown>
  /** Attacks until `signal` aborts. Returns the number of sent bytes. */
  readonly run: (target: Target, signal: AbortSignal) => Promise<number>
}
