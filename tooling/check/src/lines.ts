import { parseSource } from './parse-source.ts'
import type { FoundText } from './texts.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

interface LineNode extends SyntaxNode {
  readonly value?: unknown
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[]
  readonly arguments?: readonly LineNode[]
  readonly callee?: { readonly name?: string; readonly property?: { readonly name?: string } }
  readonly key?: { readonly name?: string }
  readonly left?: LineNode
  readonly right?: LineNode
  readonly operator?: string
}

const LOG_METHODS = new Set(['debug', 'info', 'warn', 'error'])

const ERROR_CLASS = /(?:Error|Fault|Refusal)$/

const HELP_KEYS = new Set(['help', 'summary', 'description'])

/**
 * Matches a text that begins with a comma, a semicolon or a colon. Such a text is not a whole line: it continues a line
 * that begins in another text.
 */
const CONTINUES = /^\s*[,;:]/

/**
 * Returns the text of a string or a template, or of several strings and templates that are joined by `+`. In the
 * returned text, `…` replaces every other expression, such as a variable.
 */
function textOf(node: LineNode): string {
  if (node.type === 'TemplateLiteral') return node.quasis?.map((quasi) => quasi.value.cooked ?? '').join('…') ?? ''
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.operator === '+' && node.left && node.right) return textOf(node.left) + textOf(node.right)
  return '…'
}

/**
 * Returns the expressions whose text is shown to a user: by a log call, by a new error or by a help property.
 */
function shownExpressions(node: LineNode): readonly (LineNode | undefined)[] {
  if (node.type === 'NewExpression' && ERROR_CLASS.test(node.callee?.name ?? '')) return node.arguments ?? []
  const method = node.type === 'CallExpression' ? node.callee?.property?.name : undefined
  if (method !== undefined && LOG_METHODS.has(method)) return node.arguments?.slice(0, 1) ?? []
  if (node.type === 'Property' && HELP_KEYS.has(node.key?.name ?? '')) return [node.value as LineNode]
  return []
}

/**
 * Returns the whole lines that a source shows to people: messages of log calls, texts in the arguments of new errors,
 * and help texts. Texts in all other places are left out, because they may be only pieces of longer lines. For example,
 * the text in a call of a function that makes an error is left out, because the function may add other text.
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
