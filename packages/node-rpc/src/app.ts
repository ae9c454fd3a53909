import { ABCI_ERRORS, type AbciConnections, AbciError } from '@org/abci'
import type { AppQuery } from '@org/rpc'
import { BLOCK_PROTOCOL, P2P_PROTOCOL, SOFTWARE_VERSION } from '@org/types'
import { ABCI_VERSION, CheckTxType } from '@org/types/abci'

/**
 * The maximum number of bytes of all calls of clients that the application has not answered. A call cannot be taken
 * back after it was sent, so it uses memory until its answer comes, even if its client has disconnected.
 */
export const MAX_WAITING_BYTES = 64 * 1024 * 1024
/** The approximate memory of a call in addition to its data, in bytes. */
const CALL_OVERHEAD = 1024

type Call = <T>(method: string, bytes: number, send: () => Promise<T>) => Promise<T>

/** Creates a function that sends calls, and refuses a call if the calls without an answer use too much memory. */
function createBoundedCalls(): Call {
  let waitingBytes = 0
  return async (method, bytes, send) => {
    const held = bytes + CALL_OVERHEAD
    if (waitingBytes > 0 && waitingBytes + held > MAX_WAITING_BYTES) {
      const message = `${ABCI_ERRORS.tooManyPending}: calls of clients with ${waitingBytes} bytes wait for the application, and at most ${MAX_WAITING_BYTES} may wait; try again later`
      throw new AbciError(ABCI_ERRORS.tooManyPending, message, { data: { method, limit: MAX_WAITING_BYTES } })
    }
    waitingBytes += held
    try {
      return await send()
    } finally {
      waitingBytes -= held
    }
  }
}

/**
 * The application, as the RPC uses it. `checkTx` uses the mempool connection, and all other calls use the query
 * connection, as in the reference.
 */
export function createAppQuery({ query, mempool }: Pick<AbciConnections, 'query' | 'mempool'>): AppQuery {
  const call = createBoundedCalls()
  return {
    info: () =>
      call('info', 0, () =>
        query.info({
          version: SOFTWARE_VERSION,
          blockVersion: BLOCK_PROTOCOL,
          p2pVersion: P2P_PROTOCOL,
          abciVersion: ABCI_VERSION,
        }),
      ),
    query: (request) => call('query', request.data.length + request.path.length, () => query.query(request)),
    checkTx: (tx) => call('checkTx', tx.length, () => mempool.checkTx({ tx, type: CheckTxType.new })),
  }
}
