import { findProgram, freePort } from '@org/golden'
import { expect, test } from 'vitest'
import { FAST, makeHome, startNode } from './support/node.ts'
import { launch, type Running, temporaryFolder } from './support/process.ts'

const abciCli = findProgram('abci-cli', "driving the reference's kvstore")

const KINDS = ['socket', 'grpc'] as const

test.skipIf(abciCli === undefined).each(KINDS)(
  'behavior: Halley drives the kvstore of the reference over %s, with restart and replay',
  async (kind) => {
    const home = await makeHome(temporaryFolder())
    const port = await freePort()
    const start = (): Running =>
      launch(abciCli ?? '', [
        'kvstore',
        '--abci',
        kind,
        '--address',
        kind === 'grpc' ? `127.0.0.1:${port}` : `tcp://127.0.0.1:${port}`,
      ])
    const flags = [`--proxy_app=${kind === 'grpc' ? '' : 'tcp://'}127.0.0.1:${port}`, `--abci=${kind}`, ...FAST]
    let application = start()
    let node = await startNode(home, ...flags)
    const result = await node.ask('/broadcast_tx_commit?tx="name=satoshi"')
    expect(result).toMatchObject({ tx_result: { code: 0 } })
    const height = Number(result.height)
    await node.reach(height + 2)
    expect(await node.stop()).toBe(0)
    await application.stop()

    // The new process of the application has no state, so it receives every block again.
    application = start()
    node = await startNode(home, ...flags)
    await node.reach(height + 4)
    const { response } = await node.ask<{ response: { value: string } }>('/abci_query?data="name"')
    expect(Buffer.from(response.value, 'base64').toString()).toBe('satoshi')
    expect(await node.ask('/broadcast_tx_commit?tx="after=1"')).toMatchObject({ tx_result: { code: 0 } })

    // Without its application a node cannot continue: the node logs the lost connection and ends.
    await application.stop('SIGKILL')
    await node.ended
    expect(node.output()).toMatch(/application|abci/i)
  },
)
