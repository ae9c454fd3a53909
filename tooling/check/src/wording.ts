import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { findComments } from './comments.ts'
import { sourceFiles } from './imports.ts'

/** A pattern of words that `docs/style.md` forbids. `instead` says what to write instead. */
interface WordingRule {
  readonly pattern: RegExp
  readonly instead: string
}

const RULES: readonly WordingRule[] = [
  {
    pattern: /(?:^|[.:;!] )(?:Who|Whoever|Whom|Whose|What|Of|So many|So much|So long)\b(?![^.?!]*\?)/,
    instead: 'a sentence begins with its subject',
  },
  {
    pattern: /\b(?:tells?|told|telling|said|hears?|heard)\b/i,
    instead: 'code sends, reports, returns or receives',
  },
  { pattern: /\b(?:that|which|who|it) (?:is|are|was|were) none\b/i, instead: 'write invalid, missing, or not a …' },
  { pattern: /\b(?:whatever|whoever|anew|nobody)\b/i, instead: 'write any, each, again, no peer' },
]

/**
 * The permitted number of faults in each file. These faults are older than the rules. A number may only become
 * smaller.
 */
export type WordingDebt = Readonly<Record<string, number>>

/** Returns a line of text for each comment with a fault of wording in one file. */
export function wordingFaults(file: string, text: string): string[] {
  return findComments(text).flatMap((comment) => faultOf(file, comment))
}

/** Returns a list with at most one line of text: the first fault of wording in a comment, text or paragraph. */
export function faultOf(file: string, { line, text }: { readonly line: number; readonly text: string }): string[] {
  const rule = RULES.find(({ pattern }) => pattern.test(text))
  if (rule === undefined) return []
  const [found] = rule.pattern.exec(text) ?? ['']
  return [`${file}:${line}: "${found.trim()}": ${rule.instead}`]
}

/** The file with the permitted number of faults in the comments of each source file. */
export const DEBT_FILE = 'tooling/check/src/wording-debt.json'

function allFaults(root: string): Map<string, string[]> {
  const files = ['packages', 'apps', 'tooling', 'examples'].flatMap((group) => sourceFiles(join(root, group)))
  const faults = files.map((file): [string, string[]] => {
    const name = relative(root, file)
    return [name, wordingFaults(name, readFileSync(file, 'utf8'))]
  })
  return new Map(faults.filter(([, found]) => found.length > 0))
}

/** Returns the present number of faults in each file, in the form of `DEBT_FILE`. */
export function countWording(root: string): WordingDebt {
  return Object.fromEntries([...allFaults(root)].map(([file, faults]) => [file, faults.length]))
}

/** Returns the faults of each file that has more faults than `DEBT_FILE` permits. */
export function findWordingFaults(root: string): string[] {
  const path = join(root, DEBT_FILE)
  const debt = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as WordingDebt) : {}
  return [...allFaults(root)]
    .filter(([file, faults]) => faults.length > (debt[file] ?? 0))
    .flatMap(([, faults]) => faults)
}
