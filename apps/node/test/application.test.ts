import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createAbciServer } from '@org/abci'
import { freePort } from '@org/golden'
import { createKvStore } from '@org/kvstore'
import { noopLogger } from '@org/runtime'
import { generateEd25519, publicKeyOf } from '@org/types/crypto'
import { expect, onTestFinished, test } from 'vitest'
import { FAST, makeHome, startNode } from './support/node.ts'
import { HALLEY, launch, temporaryFolder } from './support/process.ts'

const KVSTORE = new URL('../../kvstore/bin/kvstore', import.meta.url).pathname

async function startKvStore(folder: string, transport: string) {
  const address = transport === 'grpc' ? `127.0.0.1:${await freePort()}` : `unix://${join(folder, 'app.sock')}`
  const app = launch(KVSTORE, ['--address', address, '--abci', transport])
  await app.saw('listen')
  return { ...app, address }
}

test.each(['socket', 'grpc'])(
  'default: a node whose application over %s dies reports it and ends',
  async (transport) => {
    const folder = temporaryFolder()
    const home = await makeHome(folder)
    const app = await startKvStore(folder, transport)
    const node = await startNode(home, `--proxy_app=${app.address}`, `--abci=${transport}`, ...FAST)
    await node.ask('/broadcast_tx_commit?tx="a=1"')
    app.child.kill('SIGKILL')
    // The exit code is 1, so that a supervisor restarts the process.
    expect(await node.ended).toBe(1)
    expect(node.output()).toContain('connection terminated. Did the application crash? Please restart CometBFT')
    expect(node.output().trimEnd().split('\n').at(-1)).toContain(
      'The node stopped because of the failure above; start it again',
    )
    const next = await startKvStore(folder, transport)
    const again = await startNode(home, `--proxy_app=${next.address}`, `--abci=${transport}`, ...FAST)
    expect(await again.ask('/abci_query?data="a"')).toMatchObject({ response: { log: 'exists' } })
    expect(await again.stop()).toBe(0)
  },
)

test('behavior: the node stops although the application does not answer during a block', async () => {
  const folder = temporaryFolder()
  const home = await makeHome(folder)
  const kvstore = createKvStore({ rules: 'document' })
  const app = {
    ...kvstore,
    finalizeBlock: (request: Parameters<typeof kvstore.finalizeBlock>[0]) =>
      request.height < 3 ? kvstore.finalizeBlock(request) : new Promise<never>(() => undefined),
  }
  const address = `unix://${join(folder, 'app.sock')}`
  const server = createAbciServer({ address, kind: 'socket' }, { app })
  await server.start()
  onTestFinished(() => server.stop())
  const node = await startNode(home, `--proxy_app=${address}`, ...FAST)
  await node.saw('finalizing commit of block')
  await node.reach(3)
  expect(await node.stop()).toBe(0)
})

type Block = Parameters<ReturnType<typeof createKvStore>['finalizeBlock']>[0]

/** Starts a node whose application asks for a validator of negative power in a block, by default in block 3. */
async function startFailing(
  flags: readonly string[] = [],
  isBad: (request: Block) => boolean = ({ height }) => height === 3,
) {
  const folder = temporaryFolder()
  const home = await makeHome(folder)
  const kvstore = createKvStore({ rules: 'document' })
  const app = {
    ...kvstore,
    finalizeBlock: async (request: Block) => {
      const answer = await kvstore.finalizeBlock(request)
      const pubKey = publicKeyOf(generateEd25519(new Uint8Array(32).fill(1)))
      return isBad(request) ? { ...answer, validatorUpdates: [{ pubKey, power: -1n }] } : answer
    },
  }
  const address = `unix://${join(folder, 'app.sock')}`
  const server = createAbciServer({ address, kind: 'socket' }, { app })
  await server.start()
  onTestFinished(() => server.stop())
  return startNode(home, `--proxy_app=${address}`, ...FAST, ...flags)
}

test('error: after a consensus failure the node ends with exit code 1, and its last line reports it', async () => {
  const node = await startFailing()
  expect(await node.ended).toBe(1)
  expect(node.output()).toContain('CONSENSUS FAILURE!!!')
  expect(node.output().trimEnd().split('\n').at(-1)).toContain(
    'The node stopped because of the failure above; start it again',
  )
})

test('behavior: a node that stays up after a consensus failure answers, and its probes answer 503', async () => {
  const node = await startFailing(['--stay-up'])
  await node.saw('Consensus has failed; because of --stay-up the node keeps answering requests')
  for (const path of ['/livez', '/readyz']) {
    const answer = await fetch(`${node.url}${path}`)
    expect([path, answer.status, await answer.text()]).toEqual([
      path,
      503,
      'consensus has failed (CONSENSUS_EXECUTION_FAILED): read the log, and start the node again\n',
    ])
  }
  expect(await node.ask('/health')).toEqual({})
  for (const how of ['async', 'sync', 'commit']) {
    const answer = node.ask(`/broadcast_tx_${how}?tx="late=1"`)
    await expect(answer, how).rejects.toThrow('RPC_CONSENSUS_FAILED: consensus of this node has failed (CONSENSUS_EXEC')
  }
  expect(await node.ask('/num_unconfirmed_txs')).toMatchObject({ total: '0' })
  expect(await node.stop()).toBe(0)
})

test('behavior: a node that stays up also stays when its application throws in a block', async () => {
  const folder = temporaryFolder()
  const home = await makeHome(folder)
  const address = `unix://${join(folder, 'app.sock')}`
  const kvstore = createKvStore({ rules: 'document' })
  const app = {
    ...kvstore,
    finalizeBlock: (request: Block) => {
      if (request.height === 3) throw new Error('out of luck')
      return kvstore.finalizeBlock(request)
    },
  }
  const server = createAbciServer({ address, kind: 'socket' }, { app, logger: noopLogger })
  await server.start()
  onTestFinished(() => server.stop())
  const node = await startNode(home, `--proxy_app=${address}`, ...FAST, '--stay-up')
  await node.saw('Consensus has failed; because of --stay-up the node keeps answering requests')
  expect(node.output()).toContain('Did the application crash?')
  expect((await fetch(`${node.url}/livez`)).status).toBe(503)
  expect(await node.ask('/block?height=2')).toMatchObject({ block: { header: { height: '2' } } })
  expect(await node.stop()).toBe(0)
})

test('error: a transaction that waits for its block when consensus fails is answered at once, with a code', async () => {
  const flags = ['--stay-up', '--rpc.timeout_broadcast_tx_commit=10m']
  const node = await startFailing(flags, ({ txs }) => txs.length > 0)
  await expect(node.ask('/broadcast_tx_commit?tx="fatal=1"')).rejects.toThrow(
    /RPC_CONSENSUS_FAILED: consensus of this node has failed \(CONSENSUS_EXEC\w+\) while the transaction waited for its block/,
  )
  expect(await node.stop()).toBe(0)
})

test('behavior: with rpc.strict transactions are accepted after a consensus failure, as by the reference', async () => {
  const node = await startFailing(['--stay-up', '--rpc.strict'])
  await node.saw('Consensus has failed; because of --stay-up the node keeps answering requests')
  expect(await node.ask('/broadcast_tx_sync?tx="late=1"')).toMatchObject({ code: 0 })
  expect(await node.stop()).toBe(0)
})

test('behavior: a node that waits for its application stops at once', async () => {
  const folder = temporaryFolder()
  const home = await makeHome(folder)
  const waiting = launch(HALLEY, ['start', '--home', home, `--proxy_app=unix://${join(folder, 'none.sock')}`])
  await waiting.saw('Cannot connect to the application')
  expect(await waiting.stop()).toBe(0)

  const sockets: Socket[] = []
  const silent = createServer((socket) => sockets.push(socket)).listen(join(folder, 'silent.sock'))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const stuck = launch(HALLEY, ['start', '--home', home, `--proxy_app=unix://${join(folder, 'silent.sock')}`])
  while (sockets.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await stuck.stop('SIGINT')).toBe(0)
})
