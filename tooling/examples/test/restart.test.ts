import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { appAndNode } from './node-home.ts'

const root = new URL('../../../', import.meta.url).pathname

function exampleOf(path: string): string {
  const text = readFileSync(`${root}${path}`, 'utf8')
  return /```ts\n([^`]*?Application[\s\S]*?)```/.exec(text)?.[1] ?? ''
}

const LISTEN = /(?:process\.argv\[2\] \?\? )?'tcp:\/\/127\.0\.0\.1:26658'/

/**
 * The example application in each README. If an example does not start a server for the application, the lines that
 * start a server are added.
 */
const EXAMPLES = {
  'README.md': exampleOf('README.md').slice(exampleOf('README.md').indexOf('import { type Application')),
  'packages/abci/README.md': exampleOf('packages/abci/README.md'),
  'packages/simnet/README.md': `${exampleOf('packages/simnet/README.md').split('const chain =')[0]}
    import { createAbciServer } from '@org/abci'
    await createAbciServer({ address: 'tcp://127.0.0.1:26658', kind: 'socket' }, { app: myApp() }).start()`,
}

describe('default: the application of a README continues', () => {
  test.each(Object.entries(EXAMPLES))('%s', async (_, code) => {
    expect(code).toMatch(LISTEN)
    const commandOf = (address: string): string[] => [
      '--input-type=module-typescript',
      '--eval',
      code.replace(LISTEN, JSON.stringify(address)),
    ]
    await using both = await appAndNode(commandOf, `${root}tooling/examples`)
    const commit = async (tx: string): Promise<void> => {
      expect(await both.get(`broadcast_tx_commit?tx="${tx}"`)).toMatchObject({ tx_result: { code: 0 } })
    }
    both.startApp()
    await both.startNode()
    await commit('a=1')
    // First, only the node restarts.
    await both.stopNode()
    await both.startNode()
    await commit('b=2')
    // Then node and application restart. They restart together, because a node ends when its application ends, as in
    // the reference.
    await both.stopNode()
    await both.stopApp()
    both.startApp()
    await both.startNode()
    await commit('c=3')
  })
})
