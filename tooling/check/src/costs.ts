import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ALLOWED_COSTS } from './costs-allowed.ts'
import { packageSources } from './imports.ts'
import { parseSource } from './parse-source.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

/**
 * A place whose cost depends on a value in a way that is easy to overlook:
 * - `bigint`: `BigInt(value)` takes more than linear time in the digits of a text;
 * - `power`: the second operand of a power or a shift determines how many digits the bigint has;
 * - `spread`: `call(...list)` fails with a RangeError when the list has more than about 120,000 items.
 */
export type CostKind = 'bigint' | 'power' | 'spread'

export interface FoundCost {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly kind: CostKind
}

interface CheckedNode extends SyntaxNode {
  readonly [field: string]: unknown
}

const isNode = (value: unknown): value is CheckedNode => typeof value === 'object' && value !== null && 'type' in value

const isBigIntLiteral = (node: unknown): boolean =>
  isNode(node) &&
  ((node.type === 'Literal' && typeof node.bigint === 'string') ||
    (node.type === 'UnaryExpression' && isBigIntLiteral(node.argument)))

const isCallOfBigInt = (node: unknown): boolean =>
  isNode(node) && node.type === 'CallExpression' && isNode(node.callee) && node.callee.name === 'BigInt'

const NUMERIC_OPERATORS = new Set(['-', '*', '/', '%', '|', '&', '^', '>>', '>>>', '<<', '**'])

/**
 * True for a literal, and for an expression whose value can only be a number. A number has at most 309 digits, so
 * `BigInt` of such a value has a bounded cost.
 */
function isNumber(node: unknown): boolean {
  if (!isNode(node)) return true
  switch (node.type) {
    case 'Literal':
      return true
    case 'TSAsExpression':
      return isNode(node.typeAnnotation) && node.typeAnnotation.type === 'TSNumberKeyword'
    case 'UnaryExpression':
      return node.operator === '-' || node.operator === '+'
    case 'BinaryExpression':
      return NUMERIC_OPERATORS.has(String(node.operator))
    case 'MemberExpression':
      return isNode(node.property) && node.property.name === 'length'
    case 'CallExpression':
      return (
        isNode(node.callee) &&
        isNode(node.callee.object) &&
        ['Math', 'Number'].includes(String(node.callee.object.name))
      )
    default:
      return false
  }
}

const POWERS = new Set(['**', '**=', '<<', '<<='])

/**
 * Returns true for a power or a shift whose result may be a large bigint. This is possible if the first operand is a
 * bigint literal such as `2n`, or if the second operand is a call of `BigInt`. If the second operand is a bigint
 * literal, returns false, because the cost is constant. For all other operands, returns false, because the source does
 * not show their types.
 */
function isPower({ operator, left, right }: CheckedNode): boolean {
  if (!POWERS.has(String(operator)) || isBigIntLiteral(right)) return false
  return isCallOfBigInt(right) || (isBigIntLiteral(left) && !isBigIntLiteral(right))
}

/** True if the arguments of a call spread a list (`...list`) whose length the source does not show. */
function hasSpread(args: unknown): boolean {
  const list = Array.isArray(args) ? args : []
  return list.some((one) => isNode(one) && one.type === 'SpreadElement' && !isLiteralList(one.argument))
}

const isLiteralList = (node: unknown): boolean =>
  isNode(node) &&
  node.type === 'ArrayExpression' &&
  (node.elements as readonly unknown[]).every((one) => isNode(one) && one.type !== 'SpreadElement')

function kindsOf(node: CheckedNode): CostKind[] {
  const kinds: CostKind[] = []
  const args = node.arguments as readonly unknown[] | undefined
  if (isCallOfBigInt(node) && !isNumber(args?.[0])) kinds.push('bigint')
  if ((node.type === 'BinaryExpression' || node.type === 'AssignmentExpression') && isPower(node)) kinds.push('power')
  if ((node.type === 'CallExpression' || node.type === 'NewExpression') && hasSpread(args)) kinds.push('spread')
  return kinds
}

/** Returns the text of a node of the syntax tree, in one line. */
const inOneLine = (text: string): string => text.split(/\s+/).join(' ')

/**
 * Returns every place of a {@link CostKind} in a TypeScript source. At such a place, the value of an operand or of an
 * argument decides how long the operation takes, or whether it fails.
 */
export function findCosts(file: string, text: string): FoundCost[] {
  const found: FoundCost[] = []
  walkSyntax<CheckedNode>(parseSource(text), (node) => {
    for (const kind of kindsOf(node)) {
      const line = text.slice(0, node.start).split('\n').length
      found.push({ file, line, text: inOneLine(text.slice(node.start, node.end)), kind })
    }
  })
  return found
}

const ADVICE: Readonly<Record<CostKind, string>> = {
  bigint: 'a text of many digits takes long to read. Check its length first',
  power: 'the second operand decides how long the number is. Check the operand first',
  spread: 'a call with more than about 120,000 arguments fails. Give the list itself, or use a loop',
}

const isAllowed = (found: FoundCost): boolean =>
  ALLOWED_COSTS.some(({ file, text }) => file === found.file && text === found.text)

/** Returns a line of text for each fault in `files`. A place that `ALLOWED_COSTS` lists is not a fault. */
export const costFaults = (root: string, files: readonly string[]): string[] => faultsOf(costsOf(root, files))

function faultsOf(found: readonly FoundCost[]): string[] {
  return found
    .filter((each) => !isAllowed(each))
    .map(({ file, line, text, kind }) => `${file}:${line}: ${text}: ${ADVICE[kind]}, and say so in costs-allowed.ts.`)
}

const costsOf = (root: string, files: readonly string[]): FoundCost[] =>
  files.flatMap((file) => findCosts(relative(root, file), readFileSync(file, 'utf8')))

/** The packages whose code runs in a node. */
const PARTS = ['abci', 'engine', 'light', 'node-rpc', 'p2p', 'rpc', 'runtime', 'types'].map((name) =>
  join('packages', name),
)

/**
 * Checks the source code of the programs and of the packages that run in a node. Returns a line of text for each place
 * of a {@link CostKind} that `ALLOWED_COSTS` does not list, and for each entry of `ALLOWED_COSTS` that is no longer
 * needed. Tests are not checked.
 */
export function findCostFaults(root: string): string[] {
  const all = costsOf(root, packageSources(root, [...PARTS, 'apps']))
  const stale = ALLOWED_COSTS.filter(
    (allowed) => !all.some(({ file, text }) => file === allowed.file && text === allowed.text),
  ).map(({ file, text }) => `costs-allowed.ts: ${file} no longer contains ${text}. Remove the exception.`)
  return [...faultsOf(all), ...stale]
}
