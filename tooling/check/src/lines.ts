import { parseSource } from './parse-source.ts'
import type { FoundText } from './texts.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

interface LineNode extends SyntaxNode {
  readonly value?: unknown
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[]
  readonly argument?: LineNode
  readonly arguments?: readonly LineNode[]
  readonly callee?: { readonly property?: { readonly name?: string } }
  readonly key?: { readonly name?: string }
  readonly left?: LineNode
  readonly right?: LineNode
  readonly operator?: string
}

const LOG_METHODS = new Set(['debug', 'info', 'warn', 'error'])

const HELP_KEYS = new Set(['help', 'summary', 'description'])

/** Matches a text that is not a whole line, because it continues a line that begins in another text. */
const CONTINUES = /^\s*[,;:]/

/** Returns the text of a string, a template or a sum of these. Every other expression in it is replaced by `…`. */
function textOf(node: LineNode): string {
  if (node.type === 'TemplateLiteral') return node.quasis?.map((quasi) => quasi.value.cooked ?? '').join('…') ?? ''
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.operator === '+' && node.left && node.right) return textOf(node.left) + textOf(node.right)
  return '…'
}

/**
 * Returns the expressions whose text is shown to a user: by a log call, by a `throw` statement or by a help property.
 */
function shownExpressions(node: LineNode): readonly (LineNode | undefined)[] {
  if (node.type === 'ThrowStatement') return node.argument?.arguments ?? []
  const method = node.type === 'CallExpression' ? node.callee?.property?.name : undefined
  if (method !== undefined && LOG_METHODS.has(method)) return node.arguments?.slice(0, 1) ?? []
  if (node.type === 'Property' && HELP_KEYS.has(node.key?.name ?? '')) return [node.value as LineNode]
  return []
}

/**
 * Returns the whole lines that a source shows to people: messages of log calls, texts of thrown errors and help texts.
 * A text that stands anywhere else may be a piece of a longer line, so this function leaves it out.
 */
export function findLines(text: string): FoundText[] {
  const found: FoundText[] = []
  walkSyntax<LineNode>(parseSource(text), (node) => {
    for (const shown of shownExpressions(node)) {
      const line = shown && textOf(shown)
      if (line && !CONTINUES.test(line))
        found.push({ line: text.slice(0, shown?.start).split('\n').length, text: line })
    }
  })
  return found
}
