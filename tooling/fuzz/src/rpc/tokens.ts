/** A name or value of JSON or of a query, with its position. */
export interface Token {
  readonly at: number
  readonly text: string
}

const WORD = /[\w.+-]+/y

/**
 * Returns the position after the end of the quoted text that begins at `from`; `undefined` if the closing quote is
 * missing.
 */
function endOfQuoted(text: string, from: number): number | undefined {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return undefined
}

/** Returns the names and values in a text: quoted texts, numbers and words. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let isOpen = false
  for (let at = 0; at < text.length; ) {
    const quoted = text[at] === '"' && !isOpen ? endOfQuoted(text, at) : undefined
    // If the closing quote of a quoted text is missing, each later quote follows a backslash and closes no quoted text.
    // So the search for quoted texts ends.
    if (text[at] === '"' && quoted === undefined) isOpen = true
    WORD.lastIndex = at
    const end = quoted ?? (WORD.test(text) ? WORD.lastIndex : undefined)
    if (end !== undefined) tokens.push({ at, text: text.slice(at, end) })
    at = end ?? at + 1
  }
  return tokens
}
