import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { sourceFiles } from './imports.ts'
import { parseSource } from './parse-source.ts'
import type { Step, StepResult } from './step.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

/** The errors of the language, which have no code. */
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
  /** The error of a `throw` statement. */
  readonly argument?: ErrorNode
  /** The function or class of a call or of `new`. */
  readonly callee?: { readonly name?: string; readonly property?: { readonly name?: string } }
  readonly arguments?: readonly ErrorNode[]
}

const isBare = (made: ErrorNode | undefined): boolean =>
  (made?.type === 'NewExpression' || made?.type === 'CallExpression') && BARE.has(made.callee?.name ?? '')

/** Returns the error that a node throws, or with which it rejects a promise. */
function failureOf({ type, argument, callee, arguments: given }: ErrorNode): ErrorNode | undefined {
  if (type === 'ThrowStatement') return argument
  const isReject = callee?.name === 'reject' || callee?.property?.name === 'reject'
  return type === 'CallExpression' && isReject ? given?.[0] : undefined
}

/** Every place in these files that throws an error without a code, or rejects a promise with one. */
export function bareErrors(root: string, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const found: string[] = []
    walkSyntax<ErrorNode>(parseSource(text), (node) => {
      if (!isBare(failureOf(node))) return
      const line = text.slice(0, node.start).split('\n').length
      found.push(`${relative(root, file)}:${line}: give a CodedError: callers and metrics compare its code`)
    })
    return found
  })
}

const resultOf = (faults: readonly string[]): StepResult => ({ ok: faults.length === 0, output: faults.join('\n') })

/** Each planted line must be found. */
function canary(root: string): StepResult {
  const folder = join(root, 'tooling/check/canaries/errors')
  const faults = bareErrors(folder, sourceFiles(folder))
  const planted = sourceFiles(folder).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.includes('// planted') ? [`${relative(folder, file)}:${index + 1}:`] : [])),
  )
  const silent = planted.filter((place) => !faults.some((fault) => fault.startsWith(place)))
  const wrong = faults.filter((fault) => !planted.some((place) => fault.startsWith(place)))
  return resultOf([...silent.map((place) => `${place} no fault`), ...wrong])
}

export const ERRORS_STEP: Step = {
  name: 'errors',
  guards: 'errors without a code in what is published',
  run: (root) => {
    const files = ['packages', 'apps'].flatMap((group) => sourceFiles(join(root, group)))
    const published = files.filter((file) => file.includes('/src/') && !file.endsWith('.test.ts'))
    return resultOf(bareErrors(root, published))
  },
  // A canary must not be ok: the step is not alive if a planted fault is not found.
  canary: (root) => {
    const { ok, output } = canary(root)
    return { ok: !ok, output }
  },
}
