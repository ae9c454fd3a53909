import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { sourceFiles } from './imports.ts'
import { findParagraphs } from './paragraphs.ts'
import { type FoundText, findTexts } from './texts.ts'
import { findTitles } from './titles.ts'
import { faultOf, type WordingDebt } from './wording.ts'

/**
 * The file with the permitted number of faults in the texts of each document and source file. These faults are older
 * than the rules.
 */
export const TEXTS_DEBT_FILE = 'tooling/check/src/wording-texts-debt.json'

/** The documents that contain forbidden words because they explain the rules. */
const QUOTING = new Set(['docs/style.md', 'GLOSSARY.md'])
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'canaries', '.git', '.changeset', '.turbo', 'generated'])
const TEST = /\.test\.ts$/
/** The folders whose texts are not for users. The titles of tests in these folders are checked. */
const NOT_FOR_USERS = /\/(?:test|vectors|recordings)\//

function documents(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : documents(path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}

/**
 * Returns a line of text for each fault of wording. In a source file the texts for people are checked, in a test file
 * the titles of tests, and in a Markdown file the paragraphs.
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

/** Returns the present number of faults in each file, in the form of `TEXTS_DEBT_FILE`. */
export function countTexts(root: string): WordingDebt {
  return Object.fromEntries(allFaults(root).map(([file, faults]) => [file, faults.length]))
}

/** Returns the faults of each file that has more faults than `TEXTS_DEBT_FILE` permits. */
export function findTextFaults(root: string): string[] {
  const debt = JSON.parse(readFileSync(join(root, TEXTS_DEBT_FILE), 'utf8')) as WordingDebt
  return allFaults(root)
    .filter(([file, faults]) => faults.length > (debt[file] ?? 0))
    .flatMap(([, faults]) => faults)
}
