import type { Budget } from '@org/runtime'
import { concatBytes } from '@org/types/bytes'
import {
  exactCheckCost,
  type PrivateKey,
  type PublicKey,
  publicKeyOf,
  type SignedItem,
  sign,
  verifyExactly,
  verifyQuickly,
} from '@org/types/crypto'
import { AuthSigMessage } from '@org/types/p2p'
import { bytes, field, message } from '@org/types/schema'
import { readLength } from '../framing/read-length.ts'
import { SECRET_ERRORS, SecretError } from './errors.ts'
import { createOpener, createSealer, SEALED_FRAME_SIZE } from './frames.ts'
import { deriveSessionKeys, type EphemeralKeys } from './keys.ts'

/** The schema google.protobuf.BytesValue. A message of this schema contains an ephemeral key. */
const BytesValue = message('google.protobuf.BytesValue', { value: field(1, bytes) })

/**
 * The maximum number of bytes of a handshake message. The two messages of the handshake have 34 and 102 bytes. The
 * reference accepts up to a megabyte.
 */
const MAX_MESSAGE_SIZE = 1024

export interface Session {
  readonly remoteKey: PublicKey
  readonly seal: (data: Uint8Array) => Uint8Array
  /** Opens an encrypted frame and returns its data, which is valid only until the next call. */
  readonly open: (sealed: Uint8Array) => Uint8Array
  /** The encrypted frames that were received after the frames of the handshake. The last frame may be incomplete. */
  readonly rest: Uint8Array
  /** The data that follows the last message of the handshake in the same frame. */
  readonly early: Uint8Array
}

export type HandshakeStep =
  | { readonly type: 'waiting' }
  | { readonly type: 'send'; readonly bytes: Uint8Array }
  | { readonly type: 'done'; readonly session: Session }

type State =
  | { readonly type: 'ephemeral'; readonly buffer: Uint8Array }
  | {
      readonly type: 'authentication'
      readonly buffer: Uint8Array
      readonly plain: Uint8Array
      readonly challenge: Uint8Array
      readonly seal: Session['seal']
      readonly open: Session['open']
    }
  | { readonly type: 'done' }

/**
 * The station-to-station handshake as a machine without I/O. The caller sends `hello`, and then passes the received
 * bytes to `receive` until `receive` returns a step of the type `done`. If `receive` throws a {@link SecretError}, the
 * caller must close the connection.
 */
export interface Handshake {
  /**
   * The first message to send, which contains this node's ephemeral key. `undefined` if this side waits for the key of
   * the other side (see {@link EphemeralSource}). A side that waits sends this message later, together with its answer
   * to the other side's first message.
   */
  readonly hello: Uint8Array | undefined
  readonly receive: (bytes: Uint8Array) => HandshakeStep
}

/**
 * The ephemeral keys of this node, or a function that makes them. With a function, this side waits: it makes and sends
 * its key only after the other side's key has arrived. So a peer that sends nothing causes no cryptographic work. Only
 * the dialled side may wait. If both sides waited, the handshake would never begin.
 */
export type EphemeralSource = EphemeralKeys | (() => EphemeralKeys)

const helloOf = (keys: EphemeralKeys): Uint8Array => BytesValue.encodeDelimited({ value: keys.public })

/**
 * Returns true if the signature is valid. Most signatures need only the fast check. Forged signatures and unusual keys
 * need an exact check, whose cost is taken from the node's budget.
 */
function isSigned(item: SignedItem, exactChecks: Pick<Budget, 'tryTake'> | undefined): boolean {
  const answer = verifyQuickly(item)
  if (answer !== undefined) return answer
  if (exactChecks?.tryTake(exactCheckCost(item.publicKey)) === false) {
    throw new SecretError(SECRET_ERRORS.busy, 'too many signatures wait for the exact check; dial again later')
  }
  return verifyExactly(item)
}

/** Creates a handshake. `exactChecks` is the whole node's budget for exact checks of signatures. Default: no limit. */
export function createHandshake(
  privateKey: PrivateKey,
  source: EphemeralSource,
  exactChecks?: Pick<Budget, 'tryTake'>,
): Handshake {
  let state: State = { type: 'ephemeral', buffer: new Uint8Array(0) }

  function receiveEphemeral(buffer: Uint8Array): HandshakeStep {
    const read = readDelimited(buffer)
    if (read === undefined) {
      state = { type: 'ephemeral', buffer }
      return { type: 'waiting' }
    }
    // As in the reference, a key that is too short is filled with zeros, and a key that is too long is cut.
    const remotePublic = new Uint8Array(32)
    remotePublic.set(decodeWith(BytesValue.decode, read.message).value.subarray(0, 32))
    const waited = typeof source === 'function'
    const ephemeral = waited ? source() : source
    const keys = deriveSessionKeys(ephemeral, remotePublic)
    const seal = createSealer(keys.sendKey)
    const signature = sign(privateKey, keys.challenge)
    const authentication = AuthSigMessage.create({ pubKey: publicKeyOf(privateKey), sig: signature })
    state = {
      type: 'authentication',
      buffer: read.rest,
      plain: new Uint8Array(0),
      challenge: keys.challenge,
      seal,
      open: createOpener(keys.receiveKey),
    }
    const proof = seal(AuthSigMessage.encodeDelimited(authentication))
    return { type: 'send', bytes: waited ? concatBytes(helloOf(ephemeral), proof) : proof }
  }

  function receiveAuthentication(current: State & { type: 'authentication' }, bytes: Uint8Array): HandshakeStep {
    const { challenge, seal, open } = current
    let buffer = concatBytes(current.buffer, bytes)
    let plain = current.plain
    let read = readDelimited(plain)
    while (read === undefined && buffer.length >= SEALED_FRAME_SIZE) {
      plain = concatBytes(plain, open(buffer.subarray(0, SEALED_FRAME_SIZE)))
      buffer = buffer.subarray(SEALED_FRAME_SIZE)
      read = readDelimited(plain)
    }
    if (read === undefined) {
      state = { ...current, buffer, plain }
      return { type: 'waiting' }
    }
    const { pubKey, sig } = decodeWith(AuthSigMessage.decode, read.message)
    if (pubKey?.type !== 'ed25519') {
      throw new SecretError(SECRET_ERRORS.keyType, `expected an ed25519 key, got ${pubKey?.type ?? 'none'}`)
    }
    if (!isSigned({ publicKey: pubKey, message: challenge, signature: sig }, exactChecks)) {
      throw new SecretError(SECRET_ERRORS.challenge, 'the peer did not sign the challenge with its key')
    }
    state = { type: 'done' }
    return { type: 'done', session: { remoteKey: pubKey, seal, open, rest: buffer, early: read.rest } }
  }

  return {
    hello: typeof source === 'function' ? undefined : helloOf(source),
    receive: (bytes) => {
      if (state.type === 'ephemeral') return receiveEphemeral(concatBytes(state.buffer, bytes))
      if (state.type === 'authentication') return receiveAuthentication(state, bytes)
      throw new SecretError(SECRET_ERRORS.message, 'the handshake has ended already')
    },
  }
}

function decodeWith<T>(decode: (bytes: Uint8Array) => T, bytes: Uint8Array): T {
  try {
    return decode(bytes)
  } catch (cause) {
    throw new SecretError(SECRET_ERRORS.message, 'a handshake message cannot be decoded', { cause })
  }
}

/** Returns the first length-prefixed message of `buffer`; `undefined` while the message is incomplete. */
function readDelimited(buffer: Uint8Array): { readonly message: Uint8Array; readonly rest: Uint8Array } | undefined {
  const length = readLength(buffer)
  if (length === undefined) return undefined
  if (length === 'overlong' || length.value > MAX_MESSAGE_SIZE) {
    throw new SecretError(SECRET_ERRORS.messageSize, 'a handshake message is too long')
  }
  const end = length.size + length.value
  return buffer.length < end ? undefined : { message: buffer.slice(length.size, end), rest: buffer.subarray(end) }
}
