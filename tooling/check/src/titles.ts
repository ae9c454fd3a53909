import { parseSource } from './parse-source.ts'
import type { FoundText } from './texts.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

interface CallNode extends SyntaxNode {
  readonly name?: string
  readonly object?: CallNode
  readonly callee?: CallNode
  readonly tag?: CallNode
  readonly arguments?: readonly CallNode[]
  readonly value?: unknown
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[]
}

const TITLED = new Set(['describe', 'it', 'test'])

/**
 * Returns the name at the beginning of a called expression, such as `test` in `test.skipIf(isSlow)` and in
 * `test.each(rows)`.
 */
function rootOf(callee: CallNode | undefined): string | undefined {
  if (callee === undefined) return undefined
  return callee.name ?? rootOf(callee.object ?? callee.callee ?? callee.tag)
}

function textOf(node: CallNode | undefined): string | undefined {
  if (node?.type === 'TemplateLiteral') return node.quasis?.map(({ value }) => value.cooked ?? '').join('…')
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

/**
 * Makes the first letter of a title a capital letter. If the title has a prefix, such as `behavior: `, this is the
 * first letter after the prefix. Titles begin with a small letter, but the rules of wording expect a capital letter
 * at the beginning of a sentence.
 */
const asSentence = (title: string): string =>
  title.replace(
    /^([a-z]+: )?(.)/,
    (_, prefix: string | undefined, first: string) => `${prefix ?? ''}${first.toUpperCase()}`,
  )

/** Returns the titles of all tests in a TypeScript source, with a capital letter at their beginning. */
export function findTitles(text: string): FoundText[] {
  const found: FoundText[] = []
  walkSyntax<CallNode>(parseSource(text), (node) => {
    if (node.type !== 'CallExpression' || !TITLED.has(rootOf(node.callee) ?? '')) return
    const title = textOf(node.arguments?.[0])
    if (title !== undefined) found.push({ line: text.slice(0, node.start).split('\n').length, text: asSentence(title) })
  })
  return found
}
