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
   * Sends the load of honest clients until `signal` aborts. If an attack has this method, it is compared with a
   * measurement in which this load is sent. An attack without this method is compared with a measurement of the usual
   * clients only.
   */
  readonly load?: (target: Target, signal: AbortSignal) => Promise<unknown>
  /** Attacks until `signal` aborts. Returns the number of sent bytes. */
  readonly run: (target: Target, signal: AbortSignal) => Promise<number>
}
