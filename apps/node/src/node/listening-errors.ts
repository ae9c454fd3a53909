import { isCodedError } from '@org/runtime/errors'
import { addressInUse } from './check-ports.ts'

/** The configuration flags that an error suggests if another program already uses an address. */
export interface ListeningAddresses {
  /** The address of the gRPC service. For this address, the error suggests the flag `rpc.grpc_laddr`. */
  readonly grpcLaddr?: string
  /** The flag that the error suggests if the address is not `grpcLaddr`. Default: `rpc.laddr`. */
  readonly flag?: 'rpc.laddr' | 'laddr'
}

/**
 * Runs `listen`, which starts a server. If another program already uses the server's address, rejects with an error
 * that suggests the flag for another address.
 */
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
