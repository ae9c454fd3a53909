import { parseAst } from 'rolldown/parseAst'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/**
 * The number of bits in the number of an edge. An edge is the step from one mark that runs to the next mark that runs.
 * A mark is a call `__at(number)`, which the instrumented code has at each branch. The number of an edge is made from
 * the numbers of its two marks.
 */
const MAP_BITS = 18

const PRELUDE = `
const __map = new Uint8Array(1 << ${MAP_BITS})
let __from = 0
let __isFresh = false
function __at(place) {
  const edge = (__from ^ place) & ${(1 << MAP_BITS) - 1}
  if (__map[edge] === 0) {
    __map[edge] = 1
    __isFresh = true
  }
  __from = place >>> 1
}
export const coverage = {
  begin() {
    __from = 0
    __isFresh = false
  },
  isFresh: () => __isFresh,
  map: __map,
}
`

interface Insertion {
  readonly at: number
  readonly text: string
  /**
   * True if the inserted text closes another inserted text, such as `}` for `{`. If a closing text and an opening text
   * are inserted at the same position, the closing text comes first.
   */
  readonly closes: boolean
}

/** Returns the children of a node of the syntax tree, in the order of the source. */
function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}

const FUNCTIONS: ReadonlySet<string> = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const LOOPS: ReadonlySet<string> = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
])

/**
 * Returns the statements and expressions inside `node` that do not always run, such as the two branches of a
 * condition.
 */
function branches(node: Node): { readonly statements: unknown[]; readonly expressions: unknown[] } {
  const { type } = node
  if (FUNCTIONS.has(type)) {
    const { body } = node
    const isBlock = isNode(body) && body.type === 'BlockStatement'
    return isBlock ? { statements: [body], expressions: [] } : { statements: [], expressions: [body] }
  }
  if (type === 'IfStatement') return { statements: [node.consequent, node.alternate], expressions: [] }
  if (LOOPS.has(type) || type === 'CatchClause') return { statements: [node.body], expressions: [] }
  if (type === 'ConditionalExpression') return { statements: [], expressions: [node.consequent, node.alternate] }
  if (type === 'LogicalExpression') return { statements: [], expressions: [node.right] }
  return { statements: [], expressions: [] }
}

function collect(root: Node): Insertion[] {
  const found: Insertion[] = []
  let places = 0
  // The number of an edge is made from the numbers of its two marks. The numbers of the marks look random, so that two
  // different edges rarely get the same number.
  const mark = (): string => `__at(${Math.imul(++places, 0x9e37_79b1) & ((1 << MAP_BITS) - 1)})`
  const visit = (node: Node): void => {
    const { statements, expressions } = branches(node)
    const closing: Insertion[] = []
    for (const part of statements.filter(isNode)) {
      if (part.type === 'BlockStatement') found.push({ at: part.start + 1, text: `${mark()};`, closes: false })
      else {
        found.push({ at: part.start, text: `{${mark()};`, closes: false })
        closing.push({ at: part.end, text: '}', closes: true })
      }
    }
    for (const part of expressions.filter(isNode)) {
      found.push({ at: part.start, text: `(${mark()},`, closes: false })
      closing.push({ at: part.end, text: ')', closes: true })
    }
    if (node.type === 'SwitchCase') {
      const [first] = (node.consequent as unknown[]).filter(isNode)
      if (first !== undefined) found.push({ at: first.start, text: `${mark()};`, closes: false })
    }
    for (const child of children(node)) visit(child)
    found.push(...closing)
  }
  visit(root)
  return found
}

/** Returns the program with an added call at each branch. The program then also exports `coverage`. */
export function instrument(code: string): string {
  const insertions = collect(parseAst(code, { lang: 'js' }) as unknown as Node)
  const ordered = insertions
    .map((insertion, index) => ({ ...insertion, index }))
    .sort((a, b) => a.at - b.at || Number(b.closes) - Number(a.closes) || a.index - b.index)
  const pieces: string[] = [PRELUDE]
  let done = 0
  for (const { at, text } of ordered) {
    pieces.push(code.slice(done, at), text)
    done = at
  }
  pieces.push(code.slice(done))
  return pieces.join('')
}
