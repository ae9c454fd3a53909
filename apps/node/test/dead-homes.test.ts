import { recordingJson, unpackHome } from '@org/golden'
import { expect, test } from 'vitest'
import { startNode } from './support/node.ts'
import { temporaryFolder } from './support/process.ts'

interface DeadHome {
  readonly after: {
    readonly height: number
    readonly heights_that_were_in_the_store_before: readonly number[]
    readonly answers: readonly {
      readonly request: { readonly path: string }
      readonly response: { readonly body: string }
    }[]
  }
}

const dead = recordingJson<{ homes: Record<string, DeadHome> }>('kvstore-single/expect.json').homes

/**
 * Returns true if the answer must equal the recorded answer of the reference. Answers about results, validators and the
 * application must always be equal. Answers about a block must be equal only if the block was already in the home. The
 * node makes later blocks itself, so their times differ.
 */
function mustEqual(path: string, stored: readonly number[]): boolean {
  const height = Number(/height=(\d+)/.exec(path)?.[1] ?? 0)
  if (height === 0) return path === '/abci_info' || path === '/validators'
  return stored.includes(height) || path.startsWith('/block_results') || path.startsWith('/validators')
}

for (const [name, { after }] of Object.entries(dead)) {
  test(`golden: a node starts from ${name} as the reference does`, async () => {
    const home = temporaryFolder()
    await unpackHome(`kvstore-single/${name}`, home)
    const app = name === 'home-killed.tar.gz' ? 'kvstore-v0.38' : 'persistent_kvstore-v0.38'
    const node = await startNode(home, `--proxy_app=${app}`)
    await node.reach(after.height)
    for (const { request, response } of after.answers) {
      if (!mustEqual(request.path, after.heights_that_were_in_the_store_before)) continue
      expect(await node.body(request.path), request.path).toBe(response.body)
    }
    expect(await node.stop()).toBe(0)
  })
}

test('golden: a home of the Go node is replayed and makes further blocks', async () => {
  const home = temporaryFolder()
  await unpackHome('kvstore-single/home.tar.gz', home)
  const node = await startNode(home, '--proxy_app=kvstore-v0.38')
  const { height } = await node.ask<{ height: string }>('/broadcast_tx_commit?tx="further=blocks"')
  expect(Number(height)).toBeGreaterThan(75)
  expect(await node.stop()).toBe(0)
  const again = await startNode(home, '--proxy_app=kvstore-v0.38')
  const { response } = await again.ask<{ response: { log: string } }>('/abci_query?data="further"')
  expect(response.log).toBe('exists')
  expect(await again.stop()).toBe(0)
})
