import type { FoundText } from './texts.ts'

/** Removes the parts of a line that are not sentences: code, addresses, and the marks at its start. */
function plainLine(line: string): string {
  return line
    .replace(/`[^`]*`/g, '`')
    .replace(/\]\([^()]*\)/g, ']')
    .replace(/^\s*(?:[-*>]|\d+\.)\s+/, '')
    .replace(/[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}/g, '')
    .trim()
}

/** Returns the paragraphs, list items and table cells of a Markdown text, without headings and code blocks. */
export function findParagraphs(text: string): FoundText[] {
  const found: FoundText[] = []
  let inCode = false
  let open: { line: number; parts: string[] } | undefined
  const close = (): void => {
    if (open !== undefined) found.push({ line: open.line, text: open.parts.join(' ') })
    open = undefined
  }
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      close()
      inCode = !inCode
    } else if (!inCode && line.startsWith('|')) {
      close()
      for (const cell of line.split('|')) found.push({ line: index + 1, text: plainLine(cell.trim()) })
    } else if (inCode || line.trim() === '' || /^(?:#|---|<)/.test(line)) close()
    else {
      if (/^\s*(?:[-*>]|\d+\.)\s+/.test(line)) close()
      open ??= { line: index + 1, parts: [] }
      open.parts.push(plainLine(line))
    }
  }
  close()
  return found
}
