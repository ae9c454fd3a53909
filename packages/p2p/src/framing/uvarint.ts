/**
 * The length before a message: its value and its own size in bytes, `undefined` while it is not whole, `overlong` when no
 * sensible length is that long.
 */
export function readUvarint(
  bytes: Uint8Array,
): { readonly value: number; readonly size: number } | 'overlong' | undefined {
  let value = 0
  for (let i = 0; i < bytes.length; i++) {
    if (i > 4) return 'overlong'
    const byte = bytes[i] as number
    value += (byte & 0x7f) * 2 ** (7 * i)
    if (byte < 0x80) return { value, size: i + 1 }
  }
  return undefined
}
