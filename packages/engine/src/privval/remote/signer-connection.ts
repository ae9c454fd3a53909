import type { ByteTransport } from '@org/p2p'
import type { Clock, Timer } from '@org/runtime'
import { SignerMessage } from '@org/types/messages'
import { createDelimitedReader } from '@org/types/schema'
import { PRIVVAL_ERRORS, PrivvalError } from '../errors.ts'
import { MAX_SIGNER_MESSAGE_SIZE } from './options.ts'

export type Sum = NonNullable<SignerMessage['sum']>
type AnswerOf<Case extends Sum['case']> = Extract<Sum, { case: Case }>['value']

/** One connection to a signer. Every request has one answer. */
export interface SignerConnection {
  /**
   * Sends a request, and resolves with the signer's answer. The caller sends one request at a time. If the signer does
   * not answer in time, or sends a message that does not answer the request, the connection ends and the promise
   * rejects with `PRIVVAL_SIGNER_LOST`.
   */
  readonly request: <Case extends Sum['case']>(question: Sum, expected: Case) => Promise<AnswerOf<Case>>
  /**
   * Begins to read the signer's messages. If the transport is closed already, the connection may end during this
   * call.
   */
  readonly begin: () => void
  readonly end: (error: PrivvalError) => void
}

interface Pending {
  readonly expected: Sum['case']
  readonly timer: Timer
  readonly resolve: (value: Sum['value']) => void
  readonly reject: (error: PrivvalError) => void
}

const lost = (why: string, cause?: unknown): PrivvalError =>
  new PrivvalError(PRIVVAL_ERRORS.signerLost, `the connection to the remote signer failed: ${why}`, { cause })

/** Makes a connection from a transport. `onEnd` is called once, when the connection ends. */
export function createSignerConnection(
  transport: ByteTransport,
  onEnd: (error: PrivvalError) => void,
  { clock, timeoutMs }: { readonly clock: Clock; readonly timeoutMs: number },
): SignerConnection {
  const reader = createDelimitedReader(MAX_SIGNER_MESSAGE_SIZE, () =>
    lost(`the signer sent a message of more than ${MAX_SIGNER_MESSAGE_SIZE} bytes`),
  )
  let pending: Pending | undefined
  let failure: PrivvalError | undefined

  function takePending(): Pending | undefined {
    const settled = pending
    settled?.timer.cancel()
    pending = undefined
    return settled
  }

  function end(error: PrivvalError): void {
    if (failure !== undefined) return
    failure = error
    transport.close()
    takePending()?.reject(error)
    onEnd(error)
  }

  function receiveMessage(message: Uint8Array): void {
    const sum = decode(message)
    if (sum instanceof PrivvalError) end(sum)
    else if (pending === undefined) end(lost(`the signer sent ${sum.case}, which was not requested`))
    else if (sum.case !== pending.expected)
      end(lost(`the signer answered with ${sum.case} instead of ${pending.expected}`))
    else takePending()?.resolve(sum.value)
  }

  function receive(bytes: Uint8Array): void {
    try {
      reader.push(bytes, (message) => {
        if (failure === undefined) receiveMessage(message.slice())
      })
    } catch (error) {
      if (!(error instanceof PrivvalError)) throw error
      end(error)
    }
  }

  return {
    begin: () => {
      transport.handle({
        data: receive,
        drain: () => undefined,
        close: (cause) => end(lost(cause === undefined ? 'the signer closed the connection' : cause.message, cause)),
      })
      transport.resume()
    },
    end,
    request: (question, expected) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) {
          reject(failure)
          return
        }
        const timer = clock.after(timeoutMs, () =>
          end(lost(`the signer did not answer with ${expected} within ${timeoutMs} ms`)),
        )
        pending = { expected, timer, resolve: resolve as Pending['resolve'], reject }
        transport.write(SignerMessage.encodeDelimited({ sum: question }))
      }),
  }
}

function decode(message: Uint8Array): Sum | PrivvalError {
  try {
    return SignerMessage.decode(message).sum ?? lost('the signer sent an empty message')
  } catch (cause) {
    return lost('a message of the signer cannot be decoded', cause)
  }
}
