import type { Budget, Clock } from '@org/runtime'
import { concatBytes } from '@org/types/bytes'
import type { PrivateKey, PublicKey } from '@org/types/crypto'
import type { ByteTransport, TransportHandlers } from '../transport/index.ts'
import { SECRET_ERRORS, SecretError } from './errors.ts'
import { FRAME_DATA_SIZE, SEALED_FRAME_SIZE } from './frames.ts'
import { createHandshake, type EphemeralSource, type Session } from './handshake.ts'

/** An authenticated, encrypted stream: a {@link ByteTransport} with the proven key of the other side. */
export interface SecretConnection extends ByteTransport {
  readonly remoteKey: PublicKey
}

/** The keys of this node and the limits for the handshake of a secret connection. */
export interface SecureOptions {
  readonly privateKey: PrivateKey
  /** The ephemeral keys of this node, which must be new for each connection. */
  readonly ephemeral: EphemeralSource
  readonly timeoutMs: number
  /**
   * The whole node's budget for exact checks of signatures. These checks are slow, and only forged signatures and
   * unusual keys need them. Default: no limit.
   */
  readonly exactChecks?: Pick<Budget, 'tryTake'>
}

/** Runs the handshake over `transport`. On any failure it closes the transport and throws a {@link SecretError}. */
export async function secure(
  transport: ByteTransport,
  options: SecureOptions,
  clock: Clock,
): Promise<SecretConnection> {
  try {
    return secretConnection(transport, await shakeHands(transport, options, clock))
  } catch (error) {
    transport.close()
    throw error
  }
}

function shakeHands(transport: ByteTransport, options: SecureOptions, clock: Clock): Promise<Session> {
  const handshake = createHandshake(options.privateKey, options.ephemeral, options.exactChecks)
  return new Promise((resolve, reject) => {
    const timer = clock.after(options.timeoutMs, () => {
      reject(new SecretError(SECRET_ERRORS.timeout, `the handshake did not end within ${options.timeoutMs} ms`))
    })
    const finish = (run: () => void): void => {
      timer.cancel()
      transport.pause()
      run()
    }
    transport.handle({
      data: (bytes) => {
        try {
          let step = handshake.receive(bytes)
          while (step.type === 'send') {
            transport.write(step.bytes)
            step = handshake.receive(new Uint8Array(0))
          }
          if (step.type === 'done') {
            const { session } = step
            finish(() => resolve(session))
          }
        } catch (error) {
          finish(() => reject(error))
        }
      },
      drain: () => undefined,
      close: (cause) =>
        finish(() => reject(new SecretError(SECRET_ERRORS.closed, 'the peer closed during the handshake', { cause }))),
    })
    if (handshake.hello !== undefined) transport.write(handshake.hello)
    transport.resume()
  })
}

function secretConnection(transport: ByteTransport, session: Session): SecretConnection {
  let handlers: TransportHandlers | undefined
  /** A whole frame whose bytes arrived in two pieces. The bytes after it are in `sealed`. */
  let first: Uint8Array | undefined
  let sealed = session.rest
  let plain = session.early
  /** The number of frames that contained the bytes of `plain`. */
  let frames = 0
  let state: 'paused' | 'reading' | 'closed' = 'paused'
  let failure: Error | undefined

  /**
   * Opens whole frames and passes their data to the handler until reading is paused. An invalid frame ends the
   * connection, because the bytes after it cannot be trusted.
   */
  function deliver(): void {
    while (state === 'reading' && handlers !== undefined) {
      if (plain.length > 0) {
        const data = plain
        plain = new Uint8Array(0)
        handlers.data(data, frames)
      } else if (failure !== undefined) {
        transport.close()
        return
      } else if (first !== undefined || sealed.length >= SEALED_FRAME_SIZE) open()
      else return
    }
  }

  /** Opens all whole frames that were received, up to the first invalid frame. */
  function open(): void {
    const whole = Math.floor(sealed.length / SEALED_FRAME_SIZE)
    const opened = new Uint8Array((whole + (first === undefined ? 0 : 1)) * FRAME_DATA_SIZE)
    let size = 0
    frames = 0
    const add = (frame: Uint8Array): void => {
      const data = session.open(frame)
      // No node sends an empty frame. The data handler receives nothing of it, so a flood would count against no limit.
      if (data.length === 0) throw new SecretError(SECRET_ERRORS.frameLength, 'the peer sent an empty frame')
      opened.set(data, size)
      size += data.length
      frames++
    }
    try {
      if (first !== undefined) add(first)
      for (let i = 0; i < whole; i++) add(sealed.subarray(i * SEALED_FRAME_SIZE, (i + 1) * SEALED_FRAME_SIZE))
    } catch (error) {
      failure = error as Error
    }
    first = undefined
    plain = opened.subarray(0, size)
    sealed = sealed.subarray(whole * SEALED_FRAME_SIZE)
  }

  /**
   * Takes received bytes. If they continue an incomplete frame, this frame is copied. All other frames are opened in
   * place.
   */
  function append(bytes: Uint8Array): void {
    const missing = SEALED_FRAME_SIZE - sealed.length
    if (sealed.length === 0) sealed = bytes
    else if (first === undefined && missing > 0 && bytes.length >= missing) {
      first = concatBytes(sealed, bytes.subarray(0, missing))
      sealed = bytes.subarray(missing)
    } else sealed = concatBytes(sealed, bytes)
  }

  transport.handle({
    data: (bytes) => {
      append(bytes)
      deliver()
    },
    drain: () => handlers?.drain(),
    close: (error) => {
      state = 'closed'
      failure ??= error
      handlers?.close(failure)
    },
  })

  return {
    remoteKey: session.remoteKey,
    remoteAddress: transport.remoteAddress,
    write: (data) => transport.write(session.seal(data)),
    handle: (next) => {
      handlers = next
      if (state === 'closed') next.close(failure)
    },
    pause: () => {
      if (state === 'reading') state = 'paused'
      transport.pause()
    },
    resume: () => {
      if (state === 'paused') state = 'reading'
      deliver()
      if (state === 'reading') transport.resume()
    },
    close: () => transport.close(),
  }
}
