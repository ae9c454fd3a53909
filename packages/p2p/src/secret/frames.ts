import { loadSodium } from '@org/runtime/sodium'
import { SECRET_ERRORS, SecretError } from './errors.ts'
import { type FrameCipher, nodeCipher, sodiumCipher, TAG_SIZE } from './frame-cipher.ts'

/** The maximum number of data bytes of one frame. */
export const FRAME_DATA_SIZE = 1024
/** The number of bytes of a frame: the length (4 bytes, little-endian), the data and the padding. */
export const FRAME_SIZE = FRAME_DATA_SIZE + 4
export const SEALED_FRAME_SIZE = FRAME_SIZE + TAG_SIZE

/** Creates a nonce of 96 bits: four zero bytes, and then a counter that never repeats. */
function createNonce(): { readonly bytes: Uint8Array; readonly next: () => void } {
  const bytes = new Uint8Array(12)
  const view = new DataView(bytes.buffer)
  let counter = 0
  return {
    bytes,
    next: () => {
      // A `number` is exact only up to this value, which is far below the limit of a 64-bit counter. No connection
      // sends so many frames.
      if (counter === Number.MAX_SAFE_INTEGER)
        throw new SecretError(SECRET_ERRORS.nonce, 'all nonces of this connection are used up; connect again')
      counter++
      view.setUint32(4, counter >>> 0, true)
      view.setUint32(8, Math.floor(counter / 2 ** 32), true)
    },
  }
}

function bestCipher(key: Uint8Array): FrameCipher {
  const sodium = loadSodium()
  return sodium === undefined ? nodeCipher(key) : sodiumCipher(key, sodium)
}

/** Creates a function that encrypts data as frames of {@link SEALED_FRAME_SIZE} bytes, all in one buffer. */
export function createSealer(key: Uint8Array, cipher: FrameCipher = bestCipher(key)): (data: Uint8Array) => Uint8Array {
  const nonce = createNonce()
  // As in the reference, the buffer is used again for each frame. So a frame with a short chunk also contains old bytes
  // after the chunk, but the peer has received these bytes before.
  const plain = new Uint8Array(FRAME_SIZE)
  const view = new DataView(plain.buffer)
  return (data) => {
    const count = Math.ceil(data.length / FRAME_DATA_SIZE)
    const sealed = new Uint8Array(count * SEALED_FRAME_SIZE)
    for (let i = 0; i < count; i++) {
      const chunk = data.subarray(i * FRAME_DATA_SIZE, (i + 1) * FRAME_DATA_SIZE)
      view.setUint32(0, chunk.length, true)
      plain.set(chunk, 4)
      cipher.seal(plain, nonce.bytes, sealed.subarray(i * SEALED_FRAME_SIZE, (i + 1) * SEALED_FRAME_SIZE))
      nonce.next()
    }
    return sealed
  }
}

/**
 * Creates a function that opens one encrypted frame and returns its data. The data is valid only until the next call. A
 * replayed, reordered or forged frame throws `SECRET_FRAME`.
 */
export function createOpener(
  key: Uint8Array,
  cipher: FrameCipher = bestCipher(key),
): (sealed: Uint8Array) => Uint8Array {
  const nonce = createNonce()
  const plain = new Uint8Array(FRAME_SIZE)
  const view = new DataView(plain.buffer)
  return (sealed) => {
    try {
      cipher.open(sealed, nonce.bytes, plain)
    } catch (cause) {
      throw new SecretError(SECRET_ERRORS.frame, 'a frame has an invalid authentication tag', { cause })
    }
    nonce.next()
    const length = view.getUint32(0, true)
    if (length > FRAME_DATA_SIZE) {
      throw new SecretError(
        SECRET_ERRORS.frameLength,
        `the peer sent a frame whose length is ${length} bytes; the limit is ${FRAME_DATA_SIZE}`,
        { data: { length } },
      )
    }
    return plain.subarray(4, 4 + length)
  }
}
