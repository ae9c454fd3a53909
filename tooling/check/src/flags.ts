import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ALLOWED_FLAGS } from './flags-allowed.ts'
import { parseSource } from './parse-source.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

/** A variable or a field that says whether a component runs or has ended. */
export interface FoundFlag {
  readonly file: string
  readonly line: number
  readonly name: string
}

interface CheckedNode extends SyntaxNode {
  readonly kind?: string
  readonly name?: string
  readonly readonly?: boolean
  readonly value?: unknown
  readonly key?: CheckedNode
  readonly id?: CheckedNode
  readonly init?: CheckedNode | null
  readonly literal?: CheckedNode
  readonly typeAnnotation?: CheckedNode
  readonly types?: readonly CheckedNode[]
  readonly declarations?: readonly CheckedNode[]
  readonly properties?: readonly CheckedNode[]
}

/**
 * Matches the words that are names of flags. A flag is a variable or a field that says whether a component, such as a
 * server or a connection, runs or has ended.
 */
const WORD =
  /^(?:started|starting|running|stopped|stopping|closed|closing|ended|ending|finished|disposed|destroyed|terminated|halted|open|opened|alive|dead|gone|over)$/

/**
 * Matches the words that say that a component ends or has ended. If a variable or a field can have one of these words
 * as its value, it is a flag. Words such as `running` are not in this list, because they can also be the state of a
 * task or of a message.
 */
const END = /^(?:stopped|stopping|closed|closing|ended|ending|finished|disposed|destroyed|terminated|dead|gone|over)$/

/**
 * Returns true if `name` is a word that `WORD` matches, such as `stopped` or `running`. The name may also have a prefix
 * before the word, as in `isStopped`.
 */
function isFlagName(name: string): boolean {
  const plain = name.replace(/^(?:is|has|was|are)(?=[A-Z])/, '')
  return WORD.test(plain.charAt(0).toLowerCase() + plain.slice(1))
}

/**
 * The types of variables that are not flags even if `WORD` matches their names. For example, `running` can be the
 * number of running calls, and `open` can be a list of open files.
 */
const OTHER_TYPES = new Set(['TSNumberKeyword', 'TSBigIntKeyword', 'TSStringKeyword', 'TSArrayType', 'TSTypeReference'])

const annotationOf = (node: CheckedNode | undefined): CheckedNode | undefined => node?.typeAnnotation?.typeAnnotation

/** Returns true if the type is a union of string literals, and `END` matches one of the literals, such as `stopped`. */
function hasEndState(type: CheckedNode | undefined): boolean {
  if (type?.type !== 'TSUnionType') return false
  return (type.types ?? []).some(({ literal }) => typeof literal?.value === 'string' && END.test(literal.value))
}

function isOtherValue(type: CheckedNode | undefined, value: CheckedNode | null | undefined): boolean {
  if (type !== undefined && OTHER_TYPES.has(type.type)) return !isPromise(type)
  if (value?.type === 'ArrowFunctionExpression' || value?.type === 'ArrayExpression') return true
  return value?.type === 'NewExpression' || (value?.type === 'Literal' && typeof value.value !== 'boolean')
}

const isPromise = (type: CheckedNode | undefined): boolean =>
  type?.type === 'TSTypeReference' && (type as { typeName?: { name?: string } }).typeName?.name === 'Promise'

/** Returns the name of the flag that the node declares, or `undefined` if it declares none. */
function declaredFlag(
  named: CheckedNode | undefined,
  typed: CheckedNode | undefined,
  value: CheckedNode | null | undefined,
) {
  const name = named?.name
  if (name === undefined) return undefined
  const type = annotationOf(typed)
  if (hasEndState(type)) return name
  return isFlagName(name) && !isOtherValue(type, value) ? name : undefined
}

/**
 * Returns the names of the flags among the members of an object, such as `{ stopped: false }`. A member is a flag if
 * `WORD` matches its name and its value is `true` or `false`. The member is a flag even if the variable of the object
 * is a `const`, because the member can still be changed.
 */
const flagsIn = (object: CheckedNode | null | undefined): (string | undefined)[] =>
  (object?.properties ?? []).map(({ key, value }) => {
    const literal = value as CheckedNode | undefined
    return typeof literal?.value === 'boolean' ? declaredFlag(key, undefined, literal) : undefined
  })

function flagsOf(node: CheckedNode): (string | undefined)[] {
  switch (node.type) {
    case 'VariableDeclaration':
      return (node.declarations ?? []).flatMap(({ id, init }) => [
        ...(node.kind === 'const' ? [] : [declaredFlag(id, id, init)]),
        ...flagsIn(init),
      ])
    case 'PropertyDefinition':
      return node.readonly === true ? [] : [declaredFlag(node.key, node, node.value as CheckedNode | null)]
    case 'TSPropertySignature':
      return node.readonly === true || isPromise(annotationOf(node)) ? [] : [declaredFlag(node.key, node, undefined)]
    default:
      return []
  }
}

/** Returns every flag that a TypeScript source declares. */
function findFlags(file: string, text: string): FoundFlag[] {
  const found: FoundFlag[] = []
  walkSyntax<CheckedNode>(parseSource(text), (node) => {
    for (const name of flagsOf(node)) {
      if (name !== undefined) found.push({ file, line: text.slice(0, node.start).split('\n').length, name })
    }
  })
  return found
}

const flagsOfFiles = (root: string, files: readonly string[]): FoundFlag[] =>
  files.flatMap((file) => findFlags(relative(root, file), readFileSync(file, 'utf8')))

const isAllowed = ({ file, name }: FoundFlag): boolean =>
  ALLOWED_FLAGS.some((allowed) => allowed.file === file && allowed.name === name)

const ADVICE =
  'use createLifecycle, or an AbortController whose signal ends the timers and listeners ("How components begin and end" in ARCHITECTURE.md). If neither fits, give the reason in flags-allowed.ts'

/** Returns a line of text for each flag in `files` that `ALLOWED_FLAGS` does not list. */
export const flagFaults = (root: string, files: readonly string[]): string[] => faultsOf(flagsOfFiles(root, files))

function faultsOf(found: readonly FoundFlag[]): string[] {
  return found
    .filter((each) => !isAllowed(each))
    .map(({ file, line, name }) => `${file}:${line}: ${name} is a hand-made flag of a lifecycle: ${ADVICE}.`)
}

/**
 * Returns the faults that `flagFaults` finds in `files`, and one fault for each entry of `ALLOWED_FLAGS` that is no
 * longer needed. `files` are all sources of packages and programs.
 */
export function findFlagFaults(root: string, files: readonly string[]): string[] {
  const all = flagsOfFiles(root, files)
  const stale = ALLOWED_FLAGS.filter(
    (allowed) => !all.some(({ file, name }) => file === allowed.file && name === allowed.name),
  )
  return [
    ...faultsOf(all),
    ...stale.map(({ file, name }) => `flags-allowed.ts: ${file} no longer declares ${name}. Remove the exception.`),
  ]
}
