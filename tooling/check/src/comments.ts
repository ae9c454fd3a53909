import { parseSource } from './parse-source.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

/** A comment in a source file, without the comment marks. Its lines are joined by single spaces. */
export interface FoundComment {
  readonly line: number
  readonly text: string
}

const LITERALS = new Set(['Literal', 'TemplateElement'])

/**
 * Returns `text` with blanks in place of the characters of strings, templates and regular expressions, because these
 * literals could contain text that looks like a comment.
 */
function withoutLiterals(text: string): string {
  const literals: SyntaxNode[] = []
  walkSyntax(parseSource(text), (node) => {
    if (LITERALS.has(node.type)) literals.push(node)
  })
  const parts: string[] = []
  let done = 0
  // The literals must be sorted by position, because the syntax tree has the text parts of a template after all of its
  // expressions.
  for (const { start, end } of literals.sort((a, b) => a.start - b.start)) {
    if (start < done) continue
    parts.push(text.slice(done, start), text.slice(start, end).replace(/[^\n]/g, ' '))
    done = end
  }
  return parts.join('') + text.slice(done)
}

const COMMENT = /\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/|(?:\/\/[^\n]*(?:\n[ \t]*(?=\/\/))?)+/g

/** Returns the text of a comment without its marks. Line comments on successive lines are one comment. */
function plainText(comment: string): string {
  const lines = comment.replace(/^\/\*+|\*\/$/g, '').split('\n')
  return lines
    .map((line) =>
      line
        .trim()
        .replace(/^(?:\/\/+|\*)/, '')
        .trim(),
    )
    .filter((line) => line !== '')
    .join(' ')
}

/** Returns the comments in a TypeScript source. Notes for tools are left out (`biome-ignore`, `@ts-expect-error`). */
export function findComments(text: string): FoundComment[] {
  return [...withoutLiterals(text).matchAll(COMMENT)]
    .map((match) => ({ line: text.slice(0, match.index).split('\n').length, text: plainText(match[0]) }))
    .filter((comment) => comment.text !== '' && !/^(?:biome-ignore|oxlint|@ts-|#)/.test(comment.text))
}
