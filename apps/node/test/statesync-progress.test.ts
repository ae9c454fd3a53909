import { freePort } from '@org/golden'
import { expect, test } from 'vitest'
import { storedValue } from './support/chain.ts'
import { createChunkGate, serveApp } from './support/served-app.ts'
import { LONG_VALUE, startSnapshotChain } from './support/snapshot-chain.ts'
import { configure, type NetworkNode, reached } from './support/testnet.ts'

interface Refusal {
  readonly error?: { readonly data: string }
}

test('behavior: a node that restores a snapshot is alive, not ready, and reports its progress', async () => {
  const gate = createChunkGate()
  const applications = [await serveApp(gate.hold(2)), await serveApp(gate.hold(2)), await serveApp()]
  const { nodes, running, late, settings } = await startSnapshotChain(applications)
  const [first] = running as [NetworkNode]
  const metrics = `127.0.0.1:${await freePort()}`
  configure(late, {
    ...settings,
    'instrumentation.prometheus': 'true',
    'instrumentation.prometheus_listen_addr': `"${metrics}"`,
  })
  late.start()
  const get = async (path: string): Promise<readonly [number, string]> => {
    const answer = await fetch(`http://127.0.0.1:${late.rpcPort}/${path}`)
    return [answer.status, await answer.text()]
  }
  const ready = (): Promise<string> => get('readyz').then(String, () => '')
  const within = { timeout: 60_000, interval: 20 }
  await expect.poll(ready, within).toMatch(/^503,state sync: (verifying the trusted header|looking for a snapshot)/)
  await expect
    .poll(ready, within)
    .toMatch(/^503,state sync: restoring the snapshot of height \d+: 2 of \d+ chunks, from [12] peers?\n$/)
  expect(await get('livez')).toEqual([200, 'alive\n'])
  expect(await late.rpc('status')).toMatchObject({
    sync_info: { latest_block_height: '0', earliest_block_height: '0', catching_up: true },
  })
  expect(await late.rpc('net_info')).toMatchObject({ n_peers: '2' })
  expect(await late.rpc('genesis')).toEqual(await first.rpc('genesis'))
  for (const path of ['abci_query?data="long"', 'abci_info', 'block', 'broadcast_tx_sync?tx="a=b"']) {
    const { error } = JSON.parse((await get(path))[1]) as Refusal
    expect(error?.data, path).toMatch(/^RPC_NOT_READY: .*2 of \d+ chunks/)
  }
  const exposed = await (await fetch(`http://${metrics}/metrics`)).text()
  expect(exposed).toMatch(/^cometbft_statesync_syncing\{.*\} 1$/m)
  expect(exposed).toMatch(/^cometbft_statesync_snapshot_chunk\{.*\} 2$/m)
  gate.open()
  await expect.poll(ready, within).toBe('200,ready\n')
  await reached((await first.height()) + 2, nodes, 60_000)
  expect(await storedValue(late, 'long')).toBe(LONG_VALUE)
  expect(await (await fetch(`http://${metrics}/metrics`)).text()).toMatch(/^cometbft_statesync_syncing\{.*\} 0$/m)
}, 240_000)
