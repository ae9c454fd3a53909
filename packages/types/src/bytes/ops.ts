/** Returns a new array with the bytes of all parts, one after the other. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return concatList(parts)
}

/**
 * Joins a list of byte arrays. Use this function for a long list, because `concatBytes(...parts)` needs room on the
 * stack for each part, and fails with about 120,000 parts.
 */
export function concatList(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/**
 * Returns true if both arrays have the same bytes. It ends at the first difference, so its time depends on the bytes:
 * do not compare secrets with it.
 */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Compares byte by byte. Returns a number less than, equal to or greater than 0. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
