import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, launch, makeTemporaryFolder, type Running, run } from '@org/golden'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import { createDevnetClient } from '@org/rpc/client/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Block, PACKAGE_PAGES } from './package-pages.ts'
import { programArguments } from './run-snippets.ts'

const root = new URL('../../../', import.meta.url).pathname
const codeOf = (folder: string): readonly string[] =>
  [...readFileSync(join(root, folder, 'README.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(
    ([, code = '']) => code,
  )

interface Example {
  readonly name: string
  readonly folder: string
  readonly code: string
  readonly block: Block
}

/** The folders of all packages and programs that have a README. */
const folders = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(join(root, parent))
    .map((name) => `${parent}/${name}`)
    .filter((folder) => existsSync(join(root, folder, 'README.md'))),
)

const examples = folders.flatMap((folder) =>
  codeOf(folder).map((code, index): Example => {
    const block = PACKAGE_PAGES[folder]?.[index] ?? {}
    return { name: `${folder}, block ${index + 1}`, folder, code, block }
  }),
)

test.each(examples)('default: $name has a test', ({ block }) => {
  expect(Object.keys(block)).not.toEqual([])
  if (block.elsewhere !== undefined) expect(readFileSync(join(root, block.elsewhere), 'utf8')).toContain('README.md')
})

test('default: all code blocks have correct types', async () => {
  await using temporary = await makeTemporaryFolder('halley-readme-types-')
  // The code blocks are written into `.halley` in the folder of their package, where the compiler finds the
  // dependencies of the package. Git and all tools ignore a folder with this name.
  const made = folders.map((folder) => join(root, folder, '.halley/readme'))
  const checked = examples.filter(({ block }) => block.elsewhere === undefined)
  const files = checked.map(({ folder, code, block }, index) => {
    const file = join(root, folder, '.halley/readme', `block-${index}.ts`)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, `${block.given ?? ''}${code}\nexport {}\n`)
    return file
  })
  const config = join(temporary.path, 'tsconfig.json')
  const compilerOptions = {
    noEmit: true,
    allowImportingTsExtensions: true,
    typeRoots: [join(root, 'node_modules/@types')],
  }
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions, files }))
  try {
    const { code, stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', config])
    expect(stdout).toBe('')
    expect(code).toBe(0)
  } finally {
    for (const folder of made) {
      rmSync(folder, { recursive: true, force: true })
      // The folder `.halley` is removed only if it is empty, because it may also have the chain of a developer.
      const above = join(folder, '..')
      if (existsSync(above) && readdirSync(above).length === 0) rmdirSync(above)
    }
  }
})

describe('the programs of the packages run', () => {
  let devnet: Running
  let url = ''
  let chainId = ''
  beforeAll(async () => {
    devnet = launch(join(root, 'apps/node/bin/halley'), ['devnet', '--control', '--rpc.laddr=tcp://127.0.0.1:0'], {})
    await devnet.saw('dev_snapshot')
    url = /RPC +(\S+)/.exec(devnet.output())?.[1] ?? ''
    const transport = createHttpTransport(url)
    chainId = (await createRpcClient(transport).status()).nodeInfo.network
    const control = createDevnetClient(transport)
    await control.advanceBlocks(30)
    // From now on the devnet makes a block every 200 ms, because some programs wait for a block.
    await control.interval(200)
  })
  afterAll(() => devnet?.stop('SIGINT'))

  const programs = examples.filter(({ block }) => block.output !== undefined)

  test.each(programs)('behavior: $name', async ({ folder, code, block }) => {
    const opensPort = code.includes('listen()')
    const text = code
      .replaceAll('127.0.0.1:26657', opensPort ? `127.0.0.1:${await freePort()}` : new URL(url).host)
      .replaceAll("'my-chain'", `'${chainId}'`)
    await using program = launch(process.execPath, programArguments(text), { cwd: join(root, folder) })
    await (block.endless === true ? program.saw(block.output as RegExp) : program.ended)
    expect(program.output()).toMatch(block.output as RegExp)
  })
})
