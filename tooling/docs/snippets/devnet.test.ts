import { createHttpTransport } from '@org/rpc/client'
import { createDevnetClient } from '@org/rpc/client/devnet'
import { createRpcServer } from '@org/rpc/server'
import { createDevnet } from '@org/simnet/devnet'
import { expect, test } from 'vitest'
import { app } from './notes.ts'

test('a program that uses the RPC is tested with a chain under control', async () => {
  const chain = await createDevnet({ app, validators: 4 })
  const server = createRpcServer({ ports: chain.ports, options: { laddr: 'tcp://127.0.0.1:0', cacheBytes: 0 } })
  const listener = await server.listen()
  const [address = ''] = listener.addresses

  const devnet = createDevnetClient(createHttpTransport(address.replace('tcp://', 'http://')))
  expect(await devnet.mine(10)).toBe(10)

  await listener.stop()
  await chain.stop()
})
