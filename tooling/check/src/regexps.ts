import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { check, type Diagnostics } from 'recheck'
import { packageSources } from './imports.ts'
import { parseSource } from './parse-source.ts'
import { ALLOWED_DYNAMIC, ALLOWED_SLOW } from './regexps-allowed.ts'
import { createSafeRegExps, readSafeRegExps, type SafeRegExps, writeSafeRegExps } from './safe-regexps.ts'
import { type SyntaxNode, walkSyntax } from './walk-syntax.ts'

/** A regular expression in the source. `pattern` is missing if the program builds the expression at run time. */
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

/** Returns every regular expression in a TypeScript source: each literal, and each call of `RegExp`. */
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
 * The time limit in milliseconds for the check of one expression. A quiet machine needs a few seconds. The limit is
 * much higher, because a busy machine must not report a good expression as a fault.
 */
const JUDGE_MS = 180_000

async function faultOf(found: FoundRegExp, safe: SafeRegExps): Promise<string | undefined> {
  const place = `${found.file}:${found.line}: ${found.text}`
  if (found.pattern === undefined) {
    if (ALLOWED_DYNAMIC.some(({ file, text }) => file === found.file && text === found.text)) return undefined
    return `${place}: nothing can check an expression that is built while the program runs. Write a literal.`
  }
  if (safe.has(found.pattern, found.flags)) return undefined
  const result = await check(found.pattern, found.flags, { timeout: JUDGE_MS })
  if (result.status === 'safe') {
    safe.add(found.pattern, found.flags)
    return undefined
  }
  if (ALLOWED_SLOW.some(({ file, text }) => file === found.file && text === found.text)) return undefined
  return `${place}: ${describe(result)}`
}

/**
 * Returns a fault for each exception in `ALLOWED_SLOW` and `ALLOWED_DYNAMIC` if the source no longer contains the
 * regular expression.
 */
function staleExceptions(all: readonly FoundRegExp[]): string[] {
  return [...ALLOWED_SLOW, ...ALLOWED_DYNAMIC]
    .filter((allowed) => !all.some(({ file, text }) => file === allowed.file && text === allowed.text))
    .map(({ file, text }) => `regexps-allowed.ts: ${file} no longer contains ${text}. Remove the exception.`)
}

const regExpsIn = (root: string, files: readonly string[]): FoundRegExp[] =>
  files.flatMap((file) => findRegExps(relative(root, file), readFileSync(file, 'utf8')))

/**
 * Returns a line of text for each place in `files` where a regular expression may take more than linear time. The
 * expressions in `safe` are not judged again.
 */
export const regExpFaults = (
  root: string,
  files: readonly string[],
  safe: SafeRegExps = createSafeRegExps(),
): Promise<string[]> => faultsOf(regExpsIn(root, files), safe)

async function faultsOf(all: readonly FoundRegExp[], safe: SafeRegExps): Promise<string[]> {
  // For some platforms, the library `recheck` has a native program that is four times as fast as its JavaScript code.
  // On other platforms, the JavaScript code is used.
  process.env.RECHECK_BACKEND ??= process.arch === 'x64' || process.platform === 'darwin' ? 'native' : 'pure'
  // An expression that occurs more than once in a file is checked only once.
  const distinct = new Map(all.map((found) => [`${found.file} ${found.text}`, found]))
  const faults: string[] = []
  // The expressions are checked one after the other. Checks at the same time would make each other slower, and could
  // exceed the time limit.
  for (const found of distinct.values()) {
    const fault = await faultOf(found, safe)
    if (fault !== undefined) faults.push(fault)
  }
  return faults
}

/** Returns every fault of the regular expressions in the source of this repository. Tests are not checked. */
export async function findRegExpFaults(root: string): Promise<string[]> {
  const all = regExpsIn(root, packageSources(root, ['packages', 'apps', 'tooling']))
  const safe = readSafeRegExps(root)
  const faults = await faultsOf(all, safe)
  writeSafeRegExps(root, safe)
  return [...faults, ...staleExceptions(all)]
}
