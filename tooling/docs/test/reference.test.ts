import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldersWithEntries } from '@org/build'
import { launch, type Running } from '@org/golden'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiPage, apiPages } from '../src/api/api-pages.ts'
import { requestOf, uriOf } from '../src/rpc/operation-text.ts'
import { methods, rpcPages, uriParameters } from '../src/rpc/rpc-pages.ts'

const root = new URL('../../../', import.meta.url).pathname

/** The pages of the API reference. */
let pages: ReadonlyMap<string, string> = new Map()
beforeAll(() => {
  pages = apiPages(root)
}, 120_000)

test('default: the API reference has every name that a package exports', () => {
  let page = ''
  let names = 0
  for (const folder of foldersWithEntries(root))
    for (const line of readFileSync(join(root, folder, 'exports.txt'), 'utf8').split('\n')) {
      if (line.startsWith('@org/')) page = pages.get(apiPage(line)) ?? ''
      else if (line !== '') {
        const name = line.trim().split(':')[0]
        expect(page, `${folder}: ${name}`).toMatch(new RegExp(`^### ${name}$`, 'm'))
        names++
      }
    }
  expect(names).toBeGreaterThan(1000)
})

/** Returns the names without a docstring on the pages of the API reference, in the form `section: name`. */
function namesWithoutDocstring(texts: ReadonlyMap<string, string>): readonly string[] {
  const parts = [...texts.values()].flatMap((text) => text.split(/^## /m).slice(1))
  const names = parts.flatMap((part) => {
    const [heading = '', ...sections] = part.split(/^### /m)
    const plain = sections.filter((section) => /^\S+\n+```/.test(section))
    return plain.map((section) => `${heading.trim()}: ${section.split('\n')[0]}`)
  })
  return [...new Set(names)]
}

test('default: every name of the API reference has a docstring', () => {
  for (const entry of ['abci', 'app', 'engine', 'kvstore', 'p2p', 'rpc/client', 'runtime', 'simnet', 'types/crypto'])
    expect([...pages.keys()]).toContain(apiPage(`@org/${entry}`))
  expect(namesWithoutDocstring(pages)).toEqual([])
})

test('error: a name without a docstring is found', () => {
  const text = '# Page\n\n## Functions\n\n### add\n\nAdds.\n\n```ts\nadd\n```\n\n### del\n\n```ts\ndel\n```\n'
  expect(namesWithoutDocstring(new Map([['page', text]]))).toEqual(['Functions: del'])
})

test('default: the RPC reference has every operation once', () => {
  const headings = [...rpcPages()].flatMap(([page, text]) =>
    /index|types/.test(page) ? [] : [...text.matchAll(/^## (\S+)$/gm)].map(([, name = '']) => name),
  )
  expect(headings.toSorted()).toEqual(methods.map(({ name }) => name).toSorted())
  expect(headings).toEqual(expect.arrayContaining(['tx_search', 'subscribe', 'dev_mine', 'dial_peers', 'events']))
})

/** The JSON-RPC error codes with which a node refuses a call that it does not understand. */
const NOT_UNDERSTOOD = [-32700, -32600, -32601, -32602]

describe('each example of the RPC reference is a call that a node understands', () => {
  let devnet: Running
  let url = ''
  beforeAll(async () => {
    const flags = ['--control', '--rpc.laddr=tcp://127.0.0.1:0', '--rpc.unsafe']
    devnet = launch(join(root, 'apps/node/bin/halley'), ['devnet', ...flags], {})
    await devnet.saw('dev_snapshot')
    url = /RPC +(\S+)/.exec(devnet.output())?.[1] ?? ''
  })
  afterAll(() => devnet?.stop('SIGINT'))

  async function codeOf(answer: Response): Promise<number | undefined> {
    const { error } = (await answer.json()) as { error?: { code: number } }
    return error?.code
  }

  const overHttp = methods.filter(({ name }) => uriParameters(name) !== undefined)

  test.each(overHttp.map((method) => ({ method, name: method.name })))('behavior: $name', async ({ method, name }) => {
    const tag = method.tags[0]?.name
    if (tag !== 'Unsafe') {
      const target = uriOf(name, uriParameters(name) ?? []).replace('http://127.0.0.1:26657', url)
      expect(NOT_UNDERSTOOD).not.toContain(await codeOf(await fetch(target)))
    }
    if (tag === 'Events') return
    const headers = { 'content-type': 'application/json' }
    const posted = await fetch(url, { method: 'POST', headers, body: requestOf(method) })
    expect(NOT_UNDERSTOOD).not.toContain(await codeOf(posted))
  })
})

test('default: the guide and the page of the node name each operation of a devnet', () => {
  const names = methods.filter(({ tags }) => tags.some(({ name }) => name === 'Devnet')).map(({ name }) => name)
  expect(names.length).toBeGreaterThan(15)
  for (const page of ['docs/guide/devnet-control.md', 'apps/node/README.md']) {
    const text = readFileSync(new URL(`../../../${page}`, import.meta.url), 'utf8')
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  }
})
