/**
 * The maximum depth of nested lists and objects. More levels could exceed the stack, whose size differs between
 * machines.
 */
const MAX_DEPTH = 64
const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b])
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d])

/**
 * The second half of an error message about JSON with too many levels. The caller writes the first half, which is the
 * subject of the sentence, such as "its lists and objects".
 */
export const TOO_DEEP: string = `are nested more than ${MAX_DEPTH} levels deep`

/** Returns true if the lists and objects of this JSON are nested more than 64 levels deep. */
export function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (isText && byte === BACKSLASH) at++
    else if (byte === QUOTE) isText = !isText
    else if (!isText && OPENING.has(byte)) depth++
    else if (!isText && CLOSING.has(byte)) depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}
