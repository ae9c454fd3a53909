import { CLI_ERRORS, CliError } from '../errors.ts'

/** The addresses that only programs on this machine can reach. */
const LOOPBACK = /^((tcp|http):\/\/)?(127\.\d+\.\d+\.\d+|localhost|\[::1\]):\d+$|^unix:\/\//

/**
 * Throws if other machines could reach the RPC at one of the addresses in `laddr`, because they could then control the
 * chain. Throws no error if `isRemote` is true: the user has then allowed other machines to control the chain.
 */
export function checkControlAddress(laddr: string, isRemote: boolean): void {
  if (isRemote || laddr.split(',').every((address) => LOOPBACK.test(address.trim()))) return
  const message = `rpc.laddr = ${JSON.stringify(laddr)} is open to other machines, which could then control the chain: use an address such as tcp://127.0.0.1:26657, or add --remote-control`
  throw new CliError(CLI_ERRORS.usage, message)
}
