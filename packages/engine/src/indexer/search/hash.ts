import { INDEX_ERRORS, IndexError } from '../errors.ts'

function invalid(problem: string): IndexError {
  return new IndexError(INDEX_ERRORS.hash, problem)
}

/** Formats a byte as Go's `%#U` does. */
function showByte(byte: number): string {
  const code = `U+${byte.toString(16).toUpperCase().padStart(4, '0')}`
  const char = String.fromCharCode(byte)
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(char) ? `${code} '${char}'` : code
}

/**
 * Converts the text of a transaction's hash in a query to upper-case hex. Throws {@link IndexError} with the
 * reference's message if the text is empty or is not hex.
 */
export function parseHash(text: string): string {
  if (text === '') {
    throw invalid('error while retrieving the result: transaction hash cannot be empty')
  }
  const prefix = 'error during searching for a hash in the query: encoding/hex: '
  for (const byte of new TextEncoder().encode(text)) {
    if (!/[0-9a-fA-F]/.test(String.fromCharCode(byte))) throw invalid(`${prefix}invalid byte: ${showByte(byte)}`)
  }
  if (text.length % 2 !== 0) throw invalid(`${prefix}odd length hex string`)
  return text.toUpperCase()
}
