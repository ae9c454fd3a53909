import type { ByteTransport } from '@org/p2p'
import type { Clock, Logger, Timer } from '@org/runtime'
import { PRIVVAL_ERRORS, PrivvalError } from '../errors.ts'
import type { RemoteSignerOptions } from './options.ts'
import { createSignerConnection, type SignerConnection } from './signer-connection.ts'

/**
 * The link to the signer of this node. A second connection waits, and receives no requests until the first connection
 * ends. If several connections wait, only the newest is kept.
 */
export interface SignerLink {
  /** Receives a connection from a signer. */
  readonly offer: (transport: ByteTransport) => void
  readonly isConnected: () => boolean
  /**
   * Calls `run` with the connection when all earlier requests are answered. Rejects with `PRIVVAL_NO_SIGNER` if no
   * signer connects within `waitMs`, with `PRIVVAL_SIGNER_LOST` if it does not answer, with `PRIVVAL_CLOSED` after
   * `close`.
   */
  readonly ask: <T>(run: (connection: SignerConnection) => Promise<T>, waitMs: number) => Promise<T>
  /** Closes the signer's connection, and accepts no further connections. */
  readonly close: () => void
}

interface Arrival {
  readonly timer: Timer
  readonly resolve: (connection: SignerConnection) => void
  readonly reject: (error: PrivvalError) => void
}

/**
 * Creates a link without a connection. The function is long because four values change together when a connection
 * arrives or ends: the current connection, the second connection, which waits until the current one ends, the timer of
 * the ping, and the caller that waits until a signer connects.
 */
export function createSignerLink(
  { answerTimeoutMs, pingAfterMs }: Pick<RemoteSignerOptions, 'answerTimeoutMs' | 'pingAfterMs'>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): SignerLink {
  let current: SignerConnection | undefined
  let standby: ByteTransport | undefined
  let arrival: Arrival | undefined
  let pinging: Timer | undefined
  const closing = new AbortController()
  let turn: Promise<unknown> = Promise.resolve()

  function adopt(transport: ByteTransport): void {
    logger.info('The remote signer is connected', { address: transport.remoteAddress })
    const timing = { clock, timeoutMs: answerTimeoutMs }
    current = createSignerConnection(transport, (error) => leave(transport, error), timing)
    current.begin()
    if (current === undefined) return
    pingLater()
    arrival?.timer.cancel()
    arrival?.resolve(current)
    arrival = undefined
  }

  function leave({ remoteAddress: address }: ByteTransport, { code, message: err }: PrivvalError): void {
    current = undefined
    pinging?.cancel()
    if (closing.signal.aborted) return
    logger.warn('The remote signer disconnected', { address, code, err })
    const next = standby
    standby = undefined
    if (next !== undefined) adopt(next)
  }

  function standBy(transport: ByteTransport): void {
    standby?.close()
    standby = transport
    logger.info('Another remote signer connected; it waits until the first one disconnects', {
      address: transport.remoteAddress,
    })
    const forget = (): void => {
      if (standby === transport) standby = undefined
    }
    // The node has sent no request on this connection, so any message from the signer is invalid.
    transport.handle({ data: () => transport.close(), drain: () => undefined, close: forget })
    transport.resume()
  }

  function pingLater(): void {
    pinging?.cancel()
    if (current === undefined) return
    pinging = clock.after(pingAfterMs, () => {
      const asked = ask((connection) => connection.request({ case: 'pingRequest', value: {} }, 'pingResponse'), 0)
      // The error is ignored here. If a signer does not answer, its connection is closed, and `leave` logs the reason.
      asked.catch(() => undefined)
    })
  }

  function connected(waitMs: number): Promise<SignerConnection> {
    return new Promise((resolve, reject) => {
      if (closing.signal.aborted) {
        reject(closedError())
        return
      }
      if (current !== undefined) {
        resolve(current)
        return
      }
      if (waitMs > 0) logger.info('Waiting for a remote signer', { ms: waitMs })
      const timer = clock.after(waitMs, () => {
        arrival = undefined
        reject(new PrivvalError(PRIVVAL_ERRORS.noSigner, `no remote signer connected within ${waitMs} ms`))
      })
      arrival = { timer, resolve, reject }
    })
  }

  async function runWithSigner<T>(run: (connection: SignerConnection) => Promise<T>, waitMs: number): Promise<T> {
    const connection = await connected(waitMs)
    try {
      return await run(connection)
    } finally {
      pingLater()
    }
  }

  function ask<T>(run: (connection: SignerConnection) => Promise<T>, waitMs: number): Promise<T> {
    const answer = turn.then(() => runWithSigner(run, waitMs))
    turn = answer.catch(() => undefined)
    return answer
  }

  return {
    offer: (transport) => {
      if (closing.signal.aborted) transport.close()
      else if (current === undefined) adopt(transport)
      else standBy(transport)
    },
    isConnected: () => current !== undefined,
    ask,
    close: () => {
      closing.abort()
      standby?.close()
      arrival?.timer.cancel()
      arrival?.reject(closedError())
      arrival = undefined
      current?.end(closedError())
    },
  }
}

const closedError = (): PrivvalError =>
  new PrivvalError(PRIVVAL_ERRORS.closed, 'the connection to the remote signer is closed')
