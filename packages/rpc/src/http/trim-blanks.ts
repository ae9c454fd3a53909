const SPACE = 32
const TAB = 9

const isBlank = (code: number): boolean => code === SPACE || code === TAB

/**
 * Removes spaces and tabs at both ends of `text.slice(from)`. The loops read each character at most once. A regular
 * expression such as `/[ \t]+$/` would start again at each blank, and take quadratic time for many blanks inside the
 * text.
 */
export function trimBlanks(text: string, from = 0): string {
  let start = from
  while (start < text.length && isBlank(text.charCodeAt(start))) start++
  return trimBlanksAtEnd(text, start)
}

/** Removes spaces and tabs at the end of `text.slice(from)`, in linear time. */
export function trimBlanksAtEnd(text: string, from = 0): string {
  let end = text.length
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(from, end)
}
