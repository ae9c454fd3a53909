/** A signature to verify: a key of 32 bytes, the signed bytes, and a signature of 64 bytes. */
export interface Ed25519Item {
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}
