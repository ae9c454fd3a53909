import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, type Running } from '@org/golden'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url).pathname
const text = (path: string): string => readFileSync(join(root, path), 'utf8')
const readme = text('README.md')
const blocks = (language: string): readonly string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code)
const snippets = blocks('ts')

test('default: every snippet of the README is run by a test', () => {
  // The texts of two snippets are also in files, which other tests run. The tests below run all other snippets.
  const files = ['tooling/examples/test/signs-once.test.ts', 'tooling/examples/src/counter.ts']
  for (const file of files) expect(snippets, file).toContain(text(file))
  expect(snippets.filter((code) => code.includes('@org/rpc/client'))).toHaveLength(snippets.length - files.length)
})

describe('beside the chain of the README', () => {
  let folder = ''
  let devnet: Running
  let url = ''
  const here = (code: string): string =>
    code.replaceAll('http://127.0.0.1:26657', url).replaceAll('ws://127.0.0.1:26657', url.replace('http', 'ws'))

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'halley-readme-'))
    const flags = ['--home', join(folder, 'home'), '--rpc.laddr=tcp://127.0.0.1:0', '--p2p.laddr=tcp://127.0.0.1:0']
    devnet = launch(join(root, 'apps/node/bin/halley'), ['devnet', ...flags], {})
    await devnet.saw('abci_query')
    url = /RPC +(\S+)/.exec(devnet.output())?.[1] ?? ''
  })
  afterAll(async () => {
    await devnet.stop('SIGINT')
    rmSync(folder, { recursive: true })
  })

  const clients = snippets.filter((code) => code.includes('@org/rpc/client'))
  const places = ['.', 'tooling/examples']

  test.each(clients.flatMap((code) => places.map((place) => ({ code, place }))))(
    'behavior: a client snippet runs in a file in $place, and ends ($#)',
    async ({ code, place }) => {
      const child = spawn(process.execPath, ['--no-warnings', '--input-type=module-typescript', '--eval', here(code)], {
        cwd: join(root, place),
      })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)))
      await once(child, 'close')
      expect([child.exitCode, output]).toEqual([0, expect.stringMatching(/^(\d+|tendermint\/event\/NewBlock)\n$/)])
    },
  )

  test('default: the chain prints what the README shows', () => {
    const plain = (shown: string): readonly string[] =>
      shown
        .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'URL')
        .replace(/test-chain-\w+/, 'NAME')
        .replace(/data {3}.*/, 'data   FOLDER')
        .split('\n')
    const banner = /^```\n( {2}test-chain[\s\S]*?)^```/m.exec(readme)?.[1] ?? ''
    expect(plain(banner).length).toBeGreaterThan(8)
    expect(plain(devnet.output())).toEqual(expect.arrayContaining([...plain(banner)]))
  })

  const commands = blocks('sh').flatMap((code) => code.split('\n').filter((line) => line.startsWith('curl ')))

  test.each(commands)('behavior: the command of the README works: %s', async (command) => {
    const [, target = ''] = /["'](http:\S+?)["']$/.exec(command.replace('NewBlock\'"', 'NewBlock%27"')) ?? []
    const accept = /Accept: ([^']+)/.exec(command)?.[1] ?? '*/*'
    const answer = await fetch(here(target), { headers: { Accept: accept } })
    expect(answer.status).toBe(200)
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    let body = ''
    while (!/"result":|NewBlock/.test(body)) body += new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
    expect(body).not.toContain('"error"')
  })

  test('default: the README has four curl commands', () => expect(commands).toHaveLength(4))
})

/** The documents that show commands of pnpm. */
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'packages/simnet/README.md', 'tooling/consumer/README.md']

test('default: every command names one exact version of pnpm, which npx does not ask about again', () => {
  const versions = DOCUMENTS.flatMap((file) =>
    [...text(file).matchAll(/npx pnpm@([^\s`']+)/g)].map(([, version]) => version),
  )
  expect(versions.length).toBeGreaterThan(20)
  expect(new Set(versions).size).toBe(1)
  expect(versions[0]).toMatch(/^12\.\d+\.\d+$/)
})
