import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { findComments } from './comments.ts'
import { sourceFiles } from './imports.ts'
import { findLines } from './lines.ts'

/**
 * Returns a function that returns random numbers from 0 up to 1. The same seed gives the same numbers (algorithm
 * mulberry32).
 */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Returns all comments of the packages, the apps and the tools, each as one line of text, in the order of their
 * files.
 */
function allComments(root: string): string[] {
  const files = ['packages', 'apps', 'tooling'].flatMap((group) => sourceFiles(join(root, group))).sort()
  return files.flatMap((file) => {
    const name = relative(root, file)
    return findComments(readFileSync(file, 'utf8')).map(({ line, text }) => `${name}:${line}: ${text}`)
  })
}

/**
 * The minimum number of words of a log line, an error or a help text in the sample. A text with fewer words is usually
 * only a piece of the complete text that an operator sees.
 */
const MIN_WORDS = 4

/** Counts the words of a line. A word has a letter, so the `…` in place of a value is not a word. */
const countWords = (line: string) => line.split(/\s+/).filter((word) => /[A-Za-z]/.test(word)).length

/** Returns the log lines, errors and help texts of all packages and apps, each as one line of text. */
function allLines(root: string): string[] {
  const files = ['packages', 'apps'].flatMap((group) => sourceFiles(join(root, group))).sort()
  const sources = files
    .map((file) => relative(root, file))
    .filter((name) => /^[^/]+\/[^/]+\/src\//.test(name) && !name.endsWith('.test.ts'))
  return sources.flatMap((name) =>
    findLines(readFileSync(join(root, name), 'utf8'))
      .filter(({ text }) => countWords(text) >= MIN_WORDS)
      .map(({ line, text }) => `${name}:${line}: ${JSON.stringify(text)}`),
  )
}

/** Draws `count` different items at random. The same seed draws the same items. */
function draw<T>(items: readonly T[], count: number, random: () => number): T[] {
  const remaining = [...items]
  return Array.from({ length: Math.min(count, remaining.length) }, () => {
    const [item] = remaining.splice(Math.floor(random() * remaining.length), 1)
    return item as T
  })
}

function show(kind: string, items: readonly string[], [count, random]: readonly [number, () => number]): void {
  console.log(`${count} of ${items.length} ${kind}`)
  for (const text of draw(items, count, random)) console.log(`- ${text}`)
}

const seed = Number(process.argv[2] ?? Date.now() % 1_000_000)
const [comments, lines] = [Number(process.argv[3] ?? 150), Number(process.argv[4] ?? 30)]
const root = join(import.meta.dirname, '../../..')
const random = numbersFrom(seed)
console.log(`seed ${seed}`)
show('comments', allComments(root), [comments, random])
show('log lines, errors and help texts', allLines(root), [lines, random])
