import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A set of regular expressions that the library `recheck` judged to be safe, each with its pattern and its flags. */
export interface SafeRegExps {
  has(pattern: string, flags: string): boolean
  add(pattern: string, flags: string): void
  /** Returns the regular expressions of the set in alphabetical order, each as its literal, such as `/a+/g`. */
  list(): string[]
}

/** Creates the set of safe expressions. `known` contains the literals of an earlier set. */
export function createSafeRegExps(known: readonly string[] = []): SafeRegExps {
  const literals = new Set(known)
  return {
    has: (pattern, flags) => literals.has(`/${pattern}/${flags}`),
    add: (pattern, flags) => {
      literals.add(`/${pattern}/${flags}`)
    },
    list: () => [...literals].sort(),
  }
}

const { version } = createRequire(import.meta.url)('recheck/package.json') as { version: string }

function fileIn(root: string): string {
  return join(root, 'node_modules', '.cache', 'check', `safe-regexps-${version}.json`)
}

/**
 * Reads the safe expressions of earlier runs from a file in `node_modules/.cache` of the repository. The judgement of
 * an expression depends only on the expression and on the version of the library `recheck`, and takes up to a second. A
 * missing or damaged file only costs time.
 */
export function readSafeRegExps(root: string): SafeRegExps {
  try {
    const parsed: unknown = JSON.parse(readFileSync(fileIn(root), 'utf8'))
    return createSafeRegExps(Array.isArray(parsed) ? parsed.filter((item) => typeof item === 'string') : [])
  } catch {
    return createSafeRegExps()
  }
}

/** Writes the safe expressions to the file that `readSafeRegExps` reads. */
export function writeSafeRegExps(root: string, safe: SafeRegExps): void {
  mkdirSync(dirname(fileIn(root)), { recursive: true })
  writeFileSync(fileIn(root), `${JSON.stringify(safe.list(), null, 1)}\n`)
}
