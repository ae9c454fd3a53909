import { isCodedError } from '@org/runtime/errors'
import { CLI_ERRORS, CliError } from '../cli/errors.ts'

/** Runs `listen`. The error about an address that is taken says what can be done. `grpcLaddr` is the address of gRPC. */
export async function listeningErrors<T>(listen: () => Promise<T>, grpcLaddr = ''): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    const code = isCodedError(error) ? (error.cause as NodeJS.ErrnoException | undefined)?.code : undefined
    if (!isCodedError(error) || code !== 'EADDRINUSE') throw error
    const address = String(error.data.address ?? '')
    const flag = address === grpcLaddr ? '--rpc.grpc_laddr=tcp://127.0.0.1:26668' : '--rpc.laddr=tcp://127.0.0.1:26667'
    throw new CliError(
      CLI_ERRORS.addressInUse,
      `another program listens on ${address}: stop it (is a node running already?), or choose another address, such as ${flag}`,
      { data: { address }, cause: error },
    )
  }
}
