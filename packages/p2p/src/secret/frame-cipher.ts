import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import type { Sodium } from '@org/runtime/sodium'

/** The number of bytes that follow an encrypted text and authenticate it. */
export const TAG_SIZE = 16

/** A ChaCha20-Poly1305 cipher with one key and no additional data. */
export interface FrameCipher {
  /**
   * Encrypts `plain`, and writes the encrypted text and its tag into `sealed`, which is {@link TAG_SIZE} bytes longer
   * than `plain`.
   */
  readonly seal: (plain: Uint8Array, nonce: Uint8Array, sealed: Uint8Array) => void
  /** Decrypts `sealed`, and writes the text into `plain`. Throws if the tag is not valid for the text. */
  readonly open: (sealed: Uint8Array, nonce: Uint8Array, plain: Uint8Array) => void
}

const ALGORITHM = 'chacha20-poly1305'

/** Creates the cipher of Node.js. The key object is made once, and used for every frame. */
export function nodeCipher(key: Uint8Array): FrameCipher {
  const secret: KeyObject = createSecretKey(key)
  return {
    seal: (plain, nonce, sealed) => {
      const cipher = createCipheriv(ALGORITHM, secret, nonce, { authTagLength: TAG_SIZE })
      sealed.set(cipher.update(plain))
      cipher.final()
      sealed.set(cipher.getAuthTag(), plain.length)
    },
    open: (sealed, nonce, plain) => {
      const decipher = createDecipheriv(ALGORITHM, secret, nonce, { authTagLength: TAG_SIZE })
      decipher.setAuthTag(sealed.subarray(plain.length))
      plain.set(decipher.update(sealed.subarray(0, plain.length)))
      decipher.final()
    },
  }
}

/** Creates libsodium's cipher, which encrypts a frame in one call. */
export function sodiumCipher(key: Uint8Array, sodium: Sodium): FrameCipher {
  return {
    seal: (plain, nonce, sealed) =>
      void sodium.crypto_aead_chacha20poly1305_ietf_encrypt(sealed, plain, null, null, nonce, key),
    open: (sealed, nonce, plain) =>
      void sodium.crypto_aead_chacha20poly1305_ietf_decrypt(plain, null, sealed, null, nonce, key),
  }
}
