import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { check, type Diagnostics } from 'recheck'
import { sourceFiles } from './imports.ts'
import { parseSource } from './parse-source.ts'
import { ALLOWED_DYNAMIC, ALLOWED_SLOW } from './regexps-allowed.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

/** A regular expression of the source. `pattern` is missing if the expression is built at run time. */
export interface FoundRegExp {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly pattern?: string
  readonly flags: string
}

interface CheckedNode extends SyntaxNode {
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly callee?: { readonly name?: string }
}

/** Returns every regular expression of a TypeScript text: the literals, and the calls of `RegExp`. */
export function findRegExps(file: string, text: string): FoundRegExp[] {
  const found: FoundRegExp[] = []
  walkSyntax<CheckedNode>(parseSource(text), (node) => {
    const place = { file, line: text.slice(0, node.start).split('\n').length, text: text.slice(node.start, node.end) }
    if (node.type === 'Literal' && node.regex !== undefined) found.push({ ...place, ...node.regex })
    const isCall = node.type === 'NewExpression' || node.type === 'CallExpression'
    if (isCall && node.callee?.name === 'RegExp') found.push({ ...place, flags: '' })
  })
  return found
}

function describe(result: Exclude<Diagnostics, { status: 'safe' }>): string {
  if (result.status === 'unknown')
    return `recheck could not judge it (${result.error.kind}). Write a simpler expression.`
  const { complexity, attack } = result
  return `its time is ${complexity.summary}, for example with ${attack.pattern}. Match by index, or anchor the expression.`
}

/**
 * The time limit for the check of one expression. A quiet machine needs a few seconds. A busy machine must not report a
 * good expression as a fault.
 */
const JUDGE_MS = 180_000

async function faultOf(found: FoundRegExp): Promise<string | undefined> {
  const place = `${found.file}:${found.line}: ${found.text}`
  if (found.pattern === undefined) {
    if (ALLOWED_DYNAMIC.some(({ file, text }) => file === found.file && text === found.text)) return undefined
    return `${place}: nothing can check an expression that is built while the program runs. Write a literal.`
  }
  const result = await check(found.pattern, found.flags, { timeout: JUDGE_MS })
  if (result.status === 'safe') return undefined
  if (ALLOWED_SLOW.some(({ file, text }) => file === found.file && text === found.text)) return undefined
  return `${place}: ${describe(result)}`
}

/** Returns faults for the entries of the lists of exceptions whose expressions are no longer in the source. */
function staleExceptions(all: readonly FoundRegExp[]): string[] {
  return [...ALLOWED_SLOW, ...ALLOWED_DYNAMIC]
    .filter((allowed) => !all.some(({ file, text }) => file === allowed.file && text === allowed.text))
    .map(({ file, text }) => `regexps-allowed.ts: ${file} no longer contains ${text}. Remove the exception.`)
}

/** Returns the places of `files` where a regular expression may take more than linear time, as lines of text. */
export async function regExpFaults(root: string, files: readonly string[]): Promise<string[]> {
  // recheck's program for this platform is four times as fast as its JavaScript. If no such program exists, recheck
  // uses the JavaScript.
  process.env.RECHECK_BACKEND ??= process.arch === 'x64' || process.platform === 'darwin' ? 'native' : 'pure'
  const all = files.flatMap((file) => findRegExps(relative(root, file), readFileSync(file, 'utf8')))
  // Each distinct expression of a file is judged once.
  const distinct = new Map(all.map((found) => [`${found.file} ${found.text}`, found]))
  const faults: string[] = []
  // The expressions are checked one after the other, because the time limit of each is measured by the clock.
  for (const found of distinct.values()) {
    const fault = await faultOf(found)
    if (fault !== undefined) faults.push(fault)
  }
  return faults
}

/** Returns every fault of the regular expressions in the source of this repository. Tests are left out. */
export async function findRegExpFaults(root: string): Promise<string[]> {
  const files = ['packages', 'apps', 'tooling']
    .flatMap((group) => sourceFiles(join(root, group)))
    .filter((file) => /\/src\//.test(file) && !file.endsWith('.test.ts'))
  const all = files.flatMap((file) => findRegExps(relative(root, file), readFileSync(file, 'utf8')))
  return [...(await regExpFaults(root, files)), ...staleExceptions(all)]
}
