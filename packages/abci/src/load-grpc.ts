import { ABCI_ERRORS, AbciError } from './errors.ts'

const PACKAGE = '@grpc/grpc-js'

/**
 * Loads the gRPC library, an optional peer dependency: most applications and nodes never use it. Rejects with
 * `ABCI_GRPC_MISSING` if the library is not installed.
 */
export async function loadGrpc(): Promise<typeof import('@grpc/grpc-js')> {
  try {
    return await import('@grpc/grpc-js')
  } catch (cause) {
    if ((cause as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    const message = `ABCI over gRPC needs the package ${PACKAGE}, which is not installed: npm install ${PACKAGE}`
    throw new AbciError(ABCI_ERRORS.grpcMissing, message, { cause })
  }
}
