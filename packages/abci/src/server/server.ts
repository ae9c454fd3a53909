import { ABCI_ERRORS, AbciError } from '../errors.ts'
import { createGrpcServer } from './grpc-server.ts'
import type { AbciServer, ServerModules, ServerOptions } from './options.ts'
import { createSocketServer } from './socket-server.ts'

/**
 * Creates a server of an application, over the socket or the gRPC protocol. Any ABCI 2.0 node can use the server.
 * Throws `ABCI_BAD_OPTION`, `ABCI_BAD_ADDRESS` or `ABCI_BAD_APPLICATION`.
 */
export function createAbciServer(options: ServerOptions, modules: ServerModules): AbciServer {
  checkArguments(options, modules)
  return options.kind === 'grpc' ? createGrpcServer(options, modules) : createSocketServer(options, modules)
}

const EXAMPLE = "createAbciServer({ address: 'tcp://127.0.0.1:26658', kind: 'socket' }, { app })"

/** Checks the arguments, because callers in JavaScript have no types that show the order of the arguments. */
function checkArguments(
  options: Partial<ServerOptions> | undefined,
  modules: Partial<ServerModules> | undefined,
): void {
  if (typeof options?.address !== 'string') throw bad('address must be a text such as tcp://127.0.0.1:26658')
  if (!['socket', 'grpc', undefined].includes(options.kind)) throw bad('kind must be "socket" or "grpc"')
  if (modules?.app === undefined) throw bad('app is missing')
}

function bad(fault: string): AbciError {
  return new AbciError(ABCI_ERRORS.badOption, `${fault}: write ${EXAMPLE}`)
}
