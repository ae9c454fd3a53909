import type { NetAddress } from '../address/index.ts'
import type { ByteTransport } from '../transport/index.ts'

/** The source of streams: TCP in a node, and memory in tests and simulations. */
export interface StreamFactory {
  readonly dial: (address: NetAddress, options: { timeoutMs: number; signal: AbortSignal }) => Promise<ByteTransport>
  readonly listen: (
    address: { readonly host: string; readonly port: number },
    accept: (transport: ByteTransport) => void,
  ) => Promise<{ readonly host: string; readonly port: number; readonly close: () => Promise<void> }>
}
