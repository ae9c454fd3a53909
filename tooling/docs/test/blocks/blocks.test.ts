import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GENERATED, markdownFiles } from '../../src/addresses.ts'
import { snippet } from '../run-snippets.ts'
import { blockProblems, otherBlocks } from './block-problems.ts'
import { BLOCK_TESTS, type BlockTest } from './block-tests.ts'
import { runShellBlock } from './shell-block.ts'
import { root } from './workspace.ts'

/** Folders whose Markdown files are not documents: generated pages, and texts with planted faults. */
const NOT_DOCUMENTS = [GENERATED, 'tooling/check/canaries']

const documents = markdownFiles(root).filter((file) => !NOT_DOCUMENTS.some((folder) => file.startsWith(`${folder}/`)))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Returns the text of the block to which `blockTest`, an entry of `BLOCK_TESTS`, belongs. */
function blockAt(document: string, blockTest: BlockTest): string {
  const index = BLOCK_TESTS[document]?.indexOf(blockTest) ?? -1
  return otherBlocks(document, read(document))[index]?.text ?? ''
}

/** Returns those of `files` that exist, in the folder of the document or in the root of the repository. */
const namedFiles = (document: string, files: readonly string[]): readonly string[] =>
  files.filter((file) => [dirname(document), '.'].some((folder) => existsSync(join(root, folder, file))))

/** The entries of `BLOCK_TESTS`, each with a name for its test. */
const listed = Object.entries(BLOCK_TESTS).flatMap(([document, tests]) =>
  tests.map((blockTest, index) => ({ name: `${document}, block ${index + 1}`, document, blockTest })),
)

test('default: a test runs or reads each code block of each document', () => {
  expect(documents.length).toBeGreaterThan(50)
  const problems = documents.flatMap((document) =>
    blockProblems(document, read(document)).map((problem) => `${document}: ${problem}`),
  )
  expect(problems).toEqual([])
})

test('default: each document of the list exists', () => {
  expect(Object.keys(BLOCK_TESTS).filter((document) => !documents.includes(document))).toEqual([])
})

const shown = listed.flatMap((entry) => {
  const { blockTest, document } = entry
  return 'shell' in blockTest ? [{ ...entry, document, shell: blockTest.shell }] : []
})

test.each(shown)(
  'behavior: the commands run: $name',
  ({ document, blockTest, shell }) => runShellBlock(blockAt(document, blockTest), shell),
  120_000,
)

describe('the blocks that other tests cover', () => {
  test.each(listed)('default: $name', ({ document, blockTest }) => {
    const text = blockAt(document, blockTest)
    if ('test' in blockTest) expect(read(blockTest.test)).toContain(basename(document))
    if ('snippet' in blockTest) expect(`${snippet(blockTest.snippet)}\n`.startsWith(text)).toBe(true)
    if ('reads' in blockTest) expect(namedFiles(document, blockTest.files)).toEqual(blockTest.files)
  })
})

describe('errors: a block that no test runs is found', () => {
  const block = (language: string): string => `\n\`\`\`${language}\nhalley new-command\n\`\`\`\n`

  test.each([
    ['README.md', block('sh'), 'begins a block without a test in block-tests.ts'],
    ['packages/ui/README.md', block('ts'), 'has 2 blocks of TypeScript, and package-pages.ts has tests for 1'],
    ['packages/ui/README.md', block('json'), 'begins a block without a test in block-tests.ts'],
    ['docs/cosmos-sdk.md', block('sh'), 'write a file in tooling/docs/snippets'],
    ['docs/style.md', '\nA command:\n\n    halley new-command\n', 'begins an indented block'],
    ['packages/new/README.md', block('toml'), 'begins a block without a test in block-tests.ts'],
  ])('a new block at the end of %s', (document, added, problem) => {
    const before = existsSync(join(root, document)) ? read(document) : '# A new package\n'
    expect(blockProblems(document, before + added)).toEqual([expect.stringContaining(problem)])
  })

  test('a block is removed, changed, or names a missing script', () => {
    const readme = read('README.md')
    const changed = readme.replace('alias halley=', 'alias other=')
    expect(blockProblems('README.md', changed)).toEqual([expect.stringContaining('begins with alias other=')])
    const renamed = readme.replace(/(npx pnpm@\S+) bench/, '$1 benches')
    expect(blockProblems('README.md', renamed)).toEqual([expect.stringContaining('has no script benches')])
    const removed = readme.slice(0, readme.lastIndexOf('```sh'))
    expect(blockProblems('README.md', removed)).toEqual([expect.stringContaining('no block for the test of npx pnpm@')])
  })
})
