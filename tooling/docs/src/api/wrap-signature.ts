/**
 * The maximum number of characters of a line. A page on a wide screen shows a line of this length without scrolling.
 */
const WIDTH = 76
const OPENING = '([{<'
const CLOSING = ')]}>'

/**
 * Returns the index of the first character that is in `wanted`, is not inside brackets, and is not before the index
 * `from`. Returns -1 if there is no such character.
 */
function findOutside(text: string, wanted: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const letter = text[at] as string
    if (depth === 0 && wanted.includes(letter)) return at
    // The `>` in `=>` does not close a bracket.
    if (CLOSING.includes(letter) && text[at - 1] !== '=') depth--
    else if (OPENING.includes(letter)) depth++
  }
  return -1
}

function parametersOf(text: string): string[] {
  const found: string[] = []
  for (let from = 0; from < text.length; ) {
    const comma = findOutside(text, ',', from)
    const end = comma < 0 ? text.length : comma
    found.push(text.slice(from, end).trim())
    from = end + 1
  }
  return found.filter((parameter) => parameter !== '')
}

/**
 * Returns the declaration of a function. If its first line is too long for a page, writes each parameter on its own
 * line.
 */
export function wrapSignature(text: string): string {
  const [first = ''] = text.split('\n', 1)
  if (!text.startsWith('function ') || first.length <= WIDTH) return text
  const open = findOutside(text, '(', 'function '.length)
  const close = open < 0 ? -1 : findOutside(text, ')', open + 1)
  if (close < 0) return text
  const parameters = parametersOf(text.slice(open + 1, close))
  if (parameters.length === 0) return text
  const lines = parameters.map((parameter) => `  ${parameter.replaceAll('\n', '\n  ')},`)
  return `${text.slice(0, open + 1)}\n${lines.join('\n')}\n${text.slice(close)}`
}
