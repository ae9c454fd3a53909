import { isCodedError } from '@org/runtime/errors'
import { addressInUse } from './check-ports.ts'

/** Runs `listen`. The error for an address in use gets advice. `grpcLaddr` is the address of gRPC. */
export async function listeningErrors<T>(listen: () => Promise<T>, grpcLaddr = ''): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    const code = isCodedError(error) ? (error.cause as NodeJS.ErrnoException | undefined)?.code : undefined
    if (!isCodedError(error) || code !== 'EADDRINUSE') throw error
    const address = String(error.data.address ?? '')
    throw addressInUse(address, address === grpcLaddr ? 'rpc.grpc_laddr' : 'rpc.laddr', error)
  }
}
