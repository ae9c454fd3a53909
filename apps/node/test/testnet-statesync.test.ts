import { expect, test } from 'vitest'
import { sendTx, storedValue } from './support/chain.ts'
import { HALLEY, run } from './support/process.ts'
import { configure, createTestnet, type NetworkNode, reached } from './support/testnet.ts'

test('default: a node of testnet --statesync joins after trust-root --write; without it, the error names the command', async () => {
  const nodes = await createTestnet({
    kinds: ['halley', 'halley', 'halley'],
    validators: 2,
    statesync: true,
    config: { 'consensus.timeout_commit': '"5ms"' },
    application: () => 'kvstore',
  })
  const [first, second, late] = nodes as [NetworkNode, NetworkNode, NetworkNode]
  // All nodes are on this machine, so their ports differ from the ports that the command has written into the homes.
  const servers = [first, second].map(({ rpcPort }) => `http://127.0.0.1:${rpcPort}`)
  configure(late, { 'statesync.rpc_servers': `"${servers.join(',')}"`, 'statesync.discovery_time': '"5s"' })
  first.start()
  second.start()
  await reached(2, [first, second])
  await sendTx(first, 'before=snapshot')
  late.start()
  await late.ended()
  expect(late.log()).toMatch(/ERROR: .*statesync\.trust_height.*halley snapshot trust-root.*\[CONFIG_VALUE\]/)
  await reached(60, [first, second], 60_000)
  const { code } = await run(HALLEY, ['snapshot', 'trust-root', '--write', '--home', late.home, '--height', '10'])
  expect(code).toBe(0)
  late.start()
  await reached(70, nodes, 90_000)
  expect(late.log()).toContain('Snapshot restored')
  expect(await storedValue(late, 'before')).toBe('snapshot')
}, 240_000)
