/** A signature to verify, in raw bytes. */
export interface Ed25519Item {
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}
