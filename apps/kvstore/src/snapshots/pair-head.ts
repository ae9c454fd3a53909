/** The number of bytes before the key of a pair in the content of a snapshot. */
export const HEAD_BYTES = 8

/**
 * Returns the bytes before the key of a pair in the content of a snapshot: the length of the key and the length of the
 * value.
 */
export function encodePairHead(key: Uint8Array, value: Uint8Array): Uint8Array {
  const head = new Uint8Array(HEAD_BYTES)
  const view = new DataView(head.buffer)
  view.setUint32(0, key.length)
  view.setUint32(4, value.length)
  return head
}

export function decodePairHead(head: Uint8Array): { readonly keyBytes: number; readonly valueBytes: number } {
  const view = new DataView(head.buffer, head.byteOffset, head.length)
  return { keyBytes: view.getUint32(0), valueBytes: view.getUint32(4) }
}
