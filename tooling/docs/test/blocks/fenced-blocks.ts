/** A code block of a Markdown document, between two lines of three backticks or tildes. */
export interface FencedBlock {
  /** The language that follows the opening backticks or tildes, such as `sh`; empty if no language follows them. */
  readonly language: string
  /** The number of the line with the opening backticks or tildes. The first line of the document has number 1. */
  readonly line: number
  /** The text of the block. Each line ends with a line feed. */
  readonly text: string
}

/** The code of a document: its fenced blocks, and the numbers of the lines at which indented blocks begin. */
export interface DocumentCode {
  readonly fenced: readonly FencedBlock[]
  readonly indented: readonly number[]
}

const FENCE = /^( *)(`{3,}|~{3,}) *(\S*)/

/**
 * Returns true if the line at `index` belongs to a list item: a line above it with less indentation begins the item.
 */
function isInList(lines: readonly string[], index: number): boolean {
  for (let at = index - 1; at >= 0; at--) {
    const line = lines[at] ?? ''
    if (/^ {0,3}(?:[-*+]|\d+\.) /.test(line)) return true
    if (/^ {0,3}\S/.test(line)) return false
  }
  return false
}

/** Returns the code of a Markdown document. */
export function codeOf(document: string): DocumentCode {
  const lines = document.split('\n')
  const fenced: FencedBlock[] = []
  const indented: number[] = []
  let open: { readonly fence: string; readonly language: string; readonly line: number; text: string } | undefined
  for (const [index, line] of lines.entries()) {
    const [, , mark, language = ''] = FENCE.exec(line) ?? []
    if (open === undefined && mark !== undefined) open = { fence: mark, language, line: index + 1, text: '' }
    else if (open !== undefined && mark !== undefined && language === '' && mark.startsWith(open.fence)) {
      fenced.push({ language: open.language, line: open.line, text: open.text })
      open = undefined
    } else if (open !== undefined) open.text += `${line}\n`
    else if (/^(?: {4}|\t)\s*\S/.test(line) && lines[index - 1]?.trim() === '' && !isInList(lines, index))
      indented.push(index + 1)
  }
  if (open !== undefined) fenced.push({ language: open.language, line: open.line, text: open.text })
  return { fenced, indented }
}
