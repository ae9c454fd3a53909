const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0').toUpperCase())

// The functions of this file use `Buffer` if it is present, because it is several times faster than other code. They
// never return a `Buffer`.
const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/** Encodes bytes in upper-case hex, as the reference shows hashes and addresses. */
export function bytesToHex(bytes: Uint8Array): string {
  if (typeof Buffer !== 'undefined') return view(bytes).toString('hex').toUpperCase()
  let text = ''
  for (const byte of bytes) text += HEX[byte]
  return text
}

/** The maximum number of bytes that {@link shownBytes} encodes. */
const SHOWN_BYTES = 32

/**
 * Encodes bytes in upper-case hex for a log line or an error. If there are more than 32 bytes, the text has only the
 * first 32, and the number of all bytes. So the bytes of a peer do not fill the log.
 */
export function shownBytes(bytes: Uint8Array): string {
  if (bytes.length <= SHOWN_BYTES) return bytesToHex(bytes)
  return `${bytesToHex(bytes.subarray(0, SHOWN_BYTES))}… (${bytes.length} bytes)`
}

/** Decodes hex digits of either case; `undefined` if the text is not hex. */
export function hexToBytes(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined
  if (typeof Buffer !== 'undefined') return new Uint8Array(Buffer.from(text, 'hex'))
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(i * 2, i * 2 + 2), 16)
  return bytes
}

/** The maximum number of bytes for which one call of `String.fromCharCode` is faster than a Buffer (measured). */
const SHORT = 24

/**
 * Converts bytes to a text with one character per byte. Such texts sort in the same order as the bytes, and can be keys
 * of a Map.
 */
export function bytesToBinary(bytes: Uint8Array): string {
  if (bytes.length <= SHORT) return String.fromCharCode.apply(null, bytes as unknown as number[])
  if (typeof Buffer !== 'undefined') return view(bytes).toString('latin1')
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

/** True if {@link bytesToBinary} would convert the parameter `bytes` to the parameter `text`. */
export function isBinaryOf(text: string, bytes: Uint8Array): boolean {
  if (text.length !== bytes.length) return false
  for (let i = 0; i < bytes.length; i++) if (text.charCodeAt(i) !== bytes[i]) return false
  return true
}

/** Encodes bytes in standard base64 with padding. */
export function bytesToBase64(bytes: Uint8Array): string {
  if (typeof Buffer !== 'undefined') return view(bytes).toString('base64')
  return btoa(bytesToBinary(bytes))
}

const withoutLineBreaks = (text: string): string => text.replace(/[\r\n]/g, '')
const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)

/**
 * Decodes standard base64 with padding; `undefined` if the text is not base64. Line breaks are skipped, as Go's
 * StdEncoding does.
 */
export function base64ToBytes(text: string): Uint8Array | undefined {
  if (typeof Buffer !== 'undefined') {
    // Small buffers share Node's pool of 8 kB, because a separate allocation would cost more than the decoding.
    const decoded = Buffer.from(text, 'base64')
    // `Buffer` skips characters that are not base64, so the result is encoded again and compared with the text. This
    // takes less time than a search for wrong characters.
    if (decoded.toString('base64') === text || isBase64(withoutLineBreaks(text)))
      return new Uint8Array(decoded.buffer, decoded.byteOffset, decoded.length)
    return undefined
  }
  const clean = withoutLineBreaks(text)
  if (!isBase64(clean)) return undefined
  const binary = atob(clean)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}
