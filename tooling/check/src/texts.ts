import { parseSource } from './parse-source.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

/**
 * A text for people in a source file, such as an error, a log line or a help text. In a template, each expression is
 * replaced by `…`.
 */
export interface FoundText {
  readonly line: number
  readonly text: string
}

interface TextNode extends SyntaxNode {
  readonly value?: unknown
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[]
}

/**
 * Matches a text that has two words with a blank between them. Other texts are keys, paths, codes or single words,
 * which are not texts for people.
 */
const PROSE = /[A-Za-z][A-Za-z][,.:;)'"…]? [A-Za-z('"…]/

/** Returns the strings and templates in a TypeScript source that are texts for people. */
export function findTexts(text: string): FoundText[] {
  const found: FoundText[] = []
  walkSyntax<TextNode>(parseSource(text), (node) => {
    let literal: string | undefined
    if (node.type === 'TemplateLiteral') literal = node.quasis?.map((quasi) => quasi.value.cooked ?? '').join('…')
    if (node.type === 'Literal' && typeof node.value === 'string') literal = node.value
    if (literal === undefined || !PROSE.test(literal)) return
    found.push({ line: text.slice(0, node.start).split('\n').length, text: literal })
  })
  return found
}
