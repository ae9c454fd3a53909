import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { sourceFiles } from './imports.ts'
import { findParagraphs } from './paragraphs.ts'
import { type FoundText, findTexts } from './texts.ts'
import { findTitles } from './titles.ts'
import { faultOf, type WordingDebt } from './wording.ts'

/** The file that lists how many texts of each document and source file still break the rules of wording. */
export const TEXTS_DEBT_FILE = 'tooling/check/src/wording-texts-debt.json'

/** The documents that quote the forbidden words in order to forbid or explain them. */
const QUOTING = new Set(['docs/style.md', 'GLOSSARY.md'])
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'canaries', '.git', '.changeset', '.turbo', 'generated'])
const TEST = /\.test\.ts$/
/** The folders whose texts users do not read. The titles of tests are checked nevertheless. */
const NOT_FOR_USERS = /\/(?:test|vectors|recordings)\//

function documents(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : documents(path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}

/**
 * Returns the faults of wording in the texts of a source file, the titles of a file of tests, or the paragraphs of a Markdown file,
 * as lines of text.
 */
export function wordingFaultsOfTexts(file: string, text: string): string[] {
  return textsOf(file, text).flatMap((item) => faultOf(file, item))
}

function textsOf(file: string, text: string): readonly FoundText[] {
  if (file.endsWith('.md')) return findParagraphs(text)
  return TEST.test(file) ? findTitles(text) : findTexts(text)
}

function allFaults(root: string): [string, string[]][] {
  const sources = ['packages', 'apps', 'tooling', 'examples'].flatMap((group) => sourceFiles(join(root, group)))
  return [...documents(root), ...sources]
    .map((path) => relative(root, path))
    .filter(
      (name) =>
        !QUOTING.has(name) && (TEST.test(name) || !NOT_FOR_USERS.test(name)) && !name.startsWith('tooling/check/'),
    )
    .map((name): [string, string[]] => [name, wordingFaultsOfTexts(name, readFileSync(join(root, name), 'utf8'))])
    .filter(([, faults]) => faults.length > 0)
}

/** Returns the number of faults in each file now, for `TEXTS_DEBT_FILE`. */
export function countTexts(root: string): WordingDebt {
  return Object.fromEntries(allFaults(root).map(([file, faults]) => [file, faults.length]))
}

/** Returns the faults of the files that have more faults than `TEXTS_DEBT_FILE` allows. */
export function findTextFaults(root: string): string[] {
  const debt = JSON.parse(readFileSync(join(root, TEXTS_DEBT_FILE), 'utf8')) as WordingDebt
  return allFaults(root)
    .filter(([file, faults]) => faults.length > (debt[file] ?? 0))
    .flatMap(([, faults]) => faults)
}
