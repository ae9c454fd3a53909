import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_PAGES } from '../package-pages.ts'
import { BLOCK_TESTS, type BlockTest } from './block-tests.ts'
import { codeOf, type FencedBlock } from './fenced-blocks.ts'

const root = new URL('../../../../', import.meta.url).pathname

const packageOf = (document: string): string | undefined =>
  /^((?:packages|apps)\/[^/]+)\/README\.md$/.exec(document)?.[1]

/**
 * Returns the pnpm scripts that the commands in a text run, each with the folder whose manifest must have the script.
 */
function scriptsIn(text: string): readonly (readonly [folder: string, script: string])[] {
  const lines = [...text.matchAll(/npx pnpm@\S+ (?:--filter @org\/(\S+) )?(?:run )?([\w:-]+)/g)]
  return lines
    .filter(([, , script]) => script !== 'exec')
    .map(([, name, script = '']) => [name === undefined ? '.' : `apps/${name}`, script])
}

/**
 * Returns the problems of one code block of a document. The parameter `blockTest` is the entry for this code block in
 * `block-tests.ts`. It is a problem if the code block does not begin with the text in that entry. It is also a problem
 * if the code block runs a pnpm script that is missing in the manifest.
 */
function problemsOfBlock({ text }: FencedBlock, blockTest: BlockTest): readonly string[] {
  const problems: string[] = []
  if (!text.startsWith(blockTest.begins))
    problems.push(`the block begins with ${text.split('\n')[0]}, and the list has ${blockTest.begins}`)
  for (const [folder, script] of scriptsIn(text)) {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>
    }
    if (!(script in manifest.scripts)) problems.push(`${folder}/package.json has no script ${script}`)
  }
  return problems
}

/**
 * Returns a problem if the number of TypeScript blocks in the README of a package is not the number of tests that
 * `package-pages.ts` has for this package.
 */
function problemsOfPrograms(document: string, blocks: readonly FencedBlock[]): readonly string[] {
  const listed = PACKAGE_PAGES[packageOf(document) ?? '']?.length ?? 0
  if (listed === blocks.length) return []
  return [`the document has ${blocks.length} blocks of TypeScript, and package-pages.ts has tests for ${listed}`]
}

/** Returns true for a block whose test is in `package-pages.ts`. */
const isProgram = (document: string, { language }: FencedBlock): boolean =>
  language === 'ts' && packageOf(document) !== undefined

/**
 * Returns the code blocks of a document that `block-tests.ts` must list. These are all code blocks except those that
 * `package-pages.ts` tests: the TypeScript code blocks in the README of a package.
 */
export const otherBlocks = (document: string, text: string): readonly FencedBlock[] =>
  codeOf(text).fenced.filter((block) => !isProgram(document, block))

/**
 * Returns the reasons why the code of a document is not tested completely. An empty list means that a test runs or
 * reads each block. `document` is the path of the document in the repository, and `text` is its text.
 */
export function blockProblems(document: string, text: string): readonly string[] {
  const { fenced, indented } = codeOf(text)
  const found = indented.map((line) => `line ${line} begins an indented block: write a fenced block`)
  if (document.startsWith('docs/')) {
    const inline = fenced.map(({ line }) => `line ${line} begins a block: write a file in tooling/docs/snippets`)
    return [...found, ...inline]
  }
  const programs = fenced.filter((block) => isProgram(document, block))
  const others = otherBlocks(document, text)
  const tests = BLOCK_TESTS[document] ?? []
  const problems = others.flatMap((block, index) => {
    const blockTest = tests[index]
    return blockTest === undefined
      ? [`line ${block.line} begins a block without a test in block-tests.ts`]
      : problemsOfBlock(block, blockTest).map((problem) => `line ${block.line}: ${problem}`)
  })
  const rest = tests.slice(others.length).map(({ begins }) => `the document has no block for the test of ${begins}`)
  return [...found, ...problemsOfPrograms(document, programs), ...problems, ...rest]
}
