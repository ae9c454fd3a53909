import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { packageSources, sourceFiles } from './imports.ts'
import { parseSource } from './parse-source.ts'
import { comparePlanted } from './planted.ts'
import { resultOf, type Step } from './step.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

/** The error classes of the language. Their errors have no code. */
const BARE = new Set([
  'Error',
  'AggregateError',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
])

interface ErrorNode extends SyntaxNode {
  /** The called function of a call, or the class after `new`. */
  readonly callee?: {
    readonly name?: string
    readonly object?: { readonly name?: string }
    readonly property?: { readonly name?: string }
  }
  readonly arguments?: readonly ErrorNode[]
  /** The name of a declared variable, or its pattern, such as `{ stack }`. */
  readonly id?: ErrorNode
  readonly init?: ErrorNode
  /** The condition of a conditional expression. */
  readonly test?: { readonly operator?: string }
  readonly alternate?: ErrorNode
  readonly properties?: readonly { readonly key?: { readonly name?: string } }[]
}

/**
 * The names of methods that end a signal, a stream or a connection. Such a method takes an error only as the reason
 * of the end, and does not throw it.
 */
const ENDING = new Set(['abort', 'destroy', 'error', 'stop', 'stopPeer'])

const isBare = (made: ErrorNode | undefined): boolean =>
  (made?.type === 'NewExpression' || made?.type === 'CallExpression') && BARE.has(made.callee?.name ?? '')

/** Returns the nodes of the syntax tree inside `node` in which an error without a code is permitted. */
function exceptionsIn(node: ErrorNode): readonly (ErrorNode | undefined)[] {
  const { type, callee, arguments: given = [], id, init, test, alternate } = node
  if (type === 'CallExpression' && ENDING.has(callee?.property?.name ?? '')) return given
  // Permitted: `Object.assign(new Error(text), { code })`, because the error receives a code. A simulated disk makes
  // its errors in this way.
  const isAssign = callee?.object?.name === 'Object' && callee.property?.name === 'assign'
  if (isAssign && given[1]?.properties?.some(({ key }) => key?.name === 'code') === true) return [given[0]]
  // Permitted: `const { stack } = new Error()`, because only the stack of the error is used.
  if (type === 'VariableDeclarator' && id?.type === 'ObjectPattern') return [init]
  // Permitted: `error instanceof Error ? error : new Error(String(error))`, because it only converts a thrown value
  // that is not an error.
  return type === 'ConditionalExpression' && test?.operator === 'instanceof' ? [alternate] : []
}

/**
 * Returns every place in these files that makes an error without a code. The error need not be thrown at the same
 * place, because a variable, a function or a promise may pass it on.
 */
function bareErrors(root: string, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const found: string[] = []
    const allowed = new Set<ErrorNode | undefined>()
    // `walkSyntax` visits each syntax node before the nodes inside it. So the visit of the outer node adds a permitted
    // node to `allowed` before the permitted node is visited.
    walkSyntax<ErrorNode>(parseSource(text), (node) => {
      for (const exception of exceptionsIn(node)) allowed.add(exception)
      if (!isBare(node) || allowed.has(node)) return
      const line = text.slice(0, node.start).split('\n').length
      found.push(`${relative(root, file)}:${line}: give a CodedError: callers and metrics compare its code`)
    })
    return found
  })
}

export const ERRORS_STEP: Step = {
  name: 'errors',
  guards: 'refuses errors without a code in published packages',
  run: (root) => resultOf(bareErrors(root, packageSources(root))),
  canary: (root) => {
    const folder = join(root, 'tooling/check/canaries/errors')
    const files = sourceFiles(folder)
    return comparePlanted(folder, files, bareErrors(folder, files))
  },
}
