import { isCodedError } from '@org/runtime/errors'
import { addressInUse } from './check-ports.ts'

export interface ListeningAddresses {
  /**
   * The address of the gRPC service. If another program uses this address, the error suggests the flag
   * `rpc.grpc_laddr`.
   */
  readonly grpcLaddr?: string
  /** The flag that the error suggests if another program uses any other address. Default: `rpc.laddr`. */
  readonly flag?: 'rpc.laddr' | 'laddr'
}

/** Runs `listen`. Rejects with advice if an address is in use. */
export async function listeningErrors<T>(
  listen: () => Promise<T>,
  { grpcLaddr = '', flag = 'rpc.laddr' }: ListeningAddresses = {},
): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    const code = isCodedError(error) ? (error.cause as NodeJS.ErrnoException | undefined)?.code : undefined
    if (!isCodedError(error) || code !== 'EADDRINUSE') throw error
    const address = String(error.data.address ?? '')
    throw addressInUse(address, address === grpcLaddr ? 'rpc.grpc_laddr' : flag, error)
  }
}
