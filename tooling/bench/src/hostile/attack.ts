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
  /** Goes on until `signal` aborts. Says how many bytes were sent. */
  readonly run: (target: Target, signal: AbortSignal) => Promise<number>
}
