/**
 * Encodes a signed integer in the form of Go's `binary.PutVarint`: zigzag, with seven bits of the number in each byte.
 */
export function encodeVarint(value: number): Uint8Array {
  let rest = value < 0 ? -(BigInt(value) * 2n) - 1n : BigInt(value) * 2n
  const bytes: number[] = []
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  bytes.push(Number(rest))
  return Uint8Array.from(bytes)
}

/** Returns the integer at the start of `bytes`; 0 if `bytes` is empty, as in Go. Beyond 2^53 it loses precision. */
export function decodeVarint(bytes: Uint8Array): number {
  let value = 0
  let scale = 1
  for (let i = 0; i < bytes.length && i < 10; i++) {
    const byte = bytes[i] as number
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2
    scale *= 128
  }
  return 0
}
