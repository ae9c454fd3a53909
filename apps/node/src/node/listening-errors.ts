import { isCodedError } from '@org/runtime/errors'
import { CLI_ERRORS, CliError } from '../cli/errors.ts'

/** Runs `listen`; of an address that is taken, the error says what can be done. */
export async function listeningErrors<T>(listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    const code = isCodedError(error) ? (error.cause as NodeJS.ErrnoException | undefined)?.code : undefined
    if (!isCodedError(error) || code !== 'EADDRINUSE') throw error
    const address = String(error.data.address ?? '')
    throw new CliError(
      CLI_ERRORS.addressInUse,
      `another program listens on ${address}: stop it (is a node running already?), or choose another address, such as --rpc.laddr=tcp://127.0.0.1:26667`,
      { data: { address }, cause: error },
    )
  }
}
