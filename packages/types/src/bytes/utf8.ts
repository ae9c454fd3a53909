const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The start of the escape codes. The escape of a byte that is not UTF-8 is this code plus the byte: a lone surrogate
 * from U+DC80 to U+DCFF.
 */
const ESCAPE = 0xdc00

/** Returns the number of bytes of the UTF-8 sequence at `at`; 0 if it is invalid. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number
  if (first < 0x80) return 1
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0
  for (let i = 1; i < length; i++) if (((bytes[at + i] as number) & 0xc0) !== 0x80) return 0
  const second = bytes[at + 1] as number
  const overlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90)
  const beyond = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f)
  return overlong || beyond ? 0 : length
}

/** Returns the code point of a valid sequence. */
function codePointAt(bytes: Uint8Array, at: number, length: number): number {
  const first = bytes[at] as number
  let code = length === 1 ? first : first & (0x7f >> length)
  for (let i = 1; i < length; i++) code = (code << 6) | ((bytes[at + i] as number) & 0x3f)
  return code
}

/**
 * The maximum number of UTF-16 units that one call converts to text. Each unit is an argument of the call, so the stack
 * limits this number.
 */
const UNITS = 4096

/**
 * Converts at most {@link UNITS} units to text. A call with `...units` would read the units with an iterator, which is
 * ten times slower.
 */
const textOfUnits = (units: Uint16Array): string => Reflect.apply(String.fromCharCode, undefined, units)

function decodeWithEscapes(bytes: Uint8Array): string {
  const units = new Uint16Array(Math.min(bytes.length, UNITS))
  let text = ''
  let count = 0
  for (let at = 0; at < bytes.length; ) {
    if (count > UNITS - 2) {
      text += textOfUnits(units.subarray(0, count))
      count = 0
    }
    const length = sequenceLength(bytes, at)
    const code = length === 0 ? ESCAPE | (bytes[at] as number) : codePointAt(bytes, at, length)
    if (code < 0x10000) units[count++] = code
    else {
      units[count++] = 0xd800 | ((code - 0x10000) >> 10)
      units[count++] = ESCAPE | (code & 0x3ff)
    }
    at += length === 0 ? 1 : length
  }
  return text + textOfUnits(units.subarray(0, count))
}

/**
 * Decodes UTF-8 without loss: a byte that is not UTF-8 becomes a lone surrogate (U+DC00 + byte), which
 * {@link utf8ToBytes} converts back. This is needed because Go's strings, and so the text fields of messages, may
 * contain any bytes.
 */
export function bytesToUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    return decodeWithEscapes(bytes)
  }
}

/**
 * Encodes text in UTF-8. An escape of {@link bytesToUtf8} is a lone surrogate from U+DC80 to U+DCFF. This function
 * converts each escape back to its byte. A lone surrogate that is not an escape becomes U+FFFD.
 */
export function utf8ToBytes(text: string): Uint8Array {
  if (text.isWellFormed()) return encoder.encode(text)
  const bytes = new Uint8Array(text.length * 3)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) as number
    if (code > 0xffff) at++
    if (code >= ESCAPE + 0x80 && code <= ESCAPE + 0xff) bytes[length++] = code & 0xff
    else length = writeCodePoint(bytes, length, code >= 0xd800 && code <= 0xdfff ? 0xfffd : code)
  }
  return bytes.slice(0, length)
}

/** Writes the UTF-8 of a code point at `at`. Returns the offset after it. */
function writeCodePoint(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code
    return at + 1
  }
  const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3
  bytes[at] = ((0xff00 >> (more + 1)) & 0xff) | (code >> (6 * more))
  for (let i = 1; i <= more; i++) bytes[at + i] = 0x80 | ((code >> (6 * (more - i))) & 0x3f)
  return at + more + 1
}
