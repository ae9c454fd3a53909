import { type AbciConnections, createConnections } from '@org/abci'
import { findProgram, freePort, launch, recordingText, run } from '@org/golden'
import {
  RequestFinalizeBlock,
  RequestInfo,
  RequestInitChain,
  RequestPrepareProposal,
  RequestProcessProposal,
  RequestQuery,
} from '@org/types/abci'
import { describe, expect, test } from 'vitest'
import { createKvStore } from '../src/index.ts'
import { temporaryDirectory, text } from './helpers.ts'
import { startKvStore } from './processes.ts'

const abciCli = findProgram('abci-cli', "the kvstore beside the reference's")

/** Makes a fixed list of calls to a kvstore, and resolves with the answers. Every kvstore gets the same calls. */
async function script({ consensus, mempool, query, snapshot }: AbciConnections): Promise<unknown[]> {
  const answers: unknown[] = []
  const pubKey = { type: 'ed25519', bytes: new Uint8Array(32).fill(3) } as const
  answers.push(await query.echo('hello'), await query.info(RequestInfo.create({ version: '0.38.25' })))
  answers.push(await consensus.initChain(RequestInitChain.create({ validators: [{ pubKey, power: 10n }] })))
  const txs = ['k=v', 'x:y', 'bad', 'a=b=c', '', '=v', Buffer.from([0xff, 0x3d, 0xfe])].map((tx) =>
    typeof tx === 'string' ? text(tx) : Uint8Array.from(tx),
  )
  answers.push(...(await Promise.all(txs.map((tx) => mempool.checkTx({ tx, type: 0 })))))
  const prepared = await consensus.prepareProposal(RequestPrepareProposal.create({ txs, maxTxBytes: 10_000n }))
  answers.push(prepared, await consensus.processProposal(RequestProcessProposal.create({ txs })))
  answers.push(await consensus.processProposal(RequestProcessProposal.create({ txs: prepared.txs })))
  answers.push(await consensus.finalizeBlock(RequestFinalizeBlock.create({ txs: prepared.txs, height: 1 })))
  answers.push(await query.info(RequestInfo.create()), await consensus.commit(), await query.info(RequestInfo.create()))
  for (const data of ['k', 'x', 'absent']) {
    for (const prove of [false, true]) {
      answers.push(await query.query(RequestQuery.create({ data: text(data), path: '/store', height: 9, prove })))
    }
  }
  answers.push(await query.query(RequestQuery.create({ data: pubKey.bytes, path: '/val' })))
  answers.push(await snapshot.listSnapshots(), await snapshot.loadSnapshotChunk({ height: 1, format: 1, chunk: 0 }))
  answers.push(await snapshot.offerSnapshot({ snapshot: undefined, appHash: new Uint8Array(0) }))
  await mempool.flush()
  return answers
}

async function scriptOver(options: Parameters<typeof createConnections>[0]): Promise<unknown[]> {
  await using closing = new AsyncDisposableStack()
  const connections = createConnections(options)
  closing.defer(connections.stop)
  await connections.start(AbortSignal.timeout(20_000))
  return await script(connections)
}

describe.skipIf(abciCli === undefined)('behavior: the Go kvstore and this one give our client the same answers', () => {
  const ours = () => scriptOver({ kind: 'local', app: createKvStore({ rules: 'v0.38' }) })

  test.each([
    ['socket', 'tcp://'],
    ['grpc', 'tcp://'],
    ['grpc', ''],
  ] as const)('over %s, address with "%s"', async (kind, scheme) => {
    const port = await freePort()
    // The client of Halley dials again and again until the application has started.
    const theirs = scriptOver({ kind, address: `${scheme}127.0.0.1:${port}` })
    await using _go = launch(abciCli ?? '', ['--abci', kind, '--address', `tcp://127.0.0.1:${port}`, 'kvstore'])
    expect(await theirs).toEqual(await ours())
  })

  test.each(['socket', 'grpc'] as const)('over %s on a unix socket', async (kind) => {
    await using directory = await temporaryDirectory()
    const address = `unix://${directory.path}/app.sock`
    await using _go = launch(abciCli ?? '', ['--abci', kind, '--address', address, 'kvstore'])
    expect(await scriptOver({ kind, address })).toEqual(await ours())
  })

  test('error: the Go application dies', async () => {
    const port = await freePort()
    const address = `tcp://127.0.0.1:${port}`
    await using go = launch(abciCli ?? '', ['--address', address, 'kvstore'])
    const connections = createConnections({ kind: 'socket', address })
    await connections.start(AbortSignal.timeout(20_000))
    const failed = new Promise((resolve) => connections.onError((error) => resolve(error.code)))
    await go.stop('SIGKILL')
    expect(await failed).toBe('ABCI_CLOSED')
    await expect(connections.consensus.commit()).rejects.toMatchObject({ data: { method: 'commit' } })
    await connections.stop()
  })
})

describe.skipIf(abciCli === undefined)('behavior: abci-cli drives our command', () => {
  test.each(['socket', 'grpc'] as const)('the recorded batch over %s', async (kind) => {
    await using kvstore = await startKvStore(['--abci', kind, '--rules', 'v0.38'])
    // The Go client for gRPC accepts only an address without a scheme.
    const address = kind === 'grpc' ? kvstore.address.slice('tcp://'.length) : kvstore.address
    const args = ['--abci', kind, '--address', address, '--verbose', 'batch']
    const { stdout, code } = await run(abciCli ?? '', args, { input: recordingText('abci-trace/batch/script.abci') })
    const printed = stdout.replace(/^[A-Z]\[.*\n/gm, '')
    expect(printed).toBe(recordingText('abci-trace/batch/stdout-verbose.txt'))
    expect(code).toBe(0)
    expect(await kvstore.stop()).toBe(0)
  })

  test('the document’s rule over a unix socket', async () => {
    await using directory = await temporaryDirectory()
    await using kvstore = await startKvStore([], `unix://${directory.path}/kv.sock`)
    const ask = (...args: string[]) => run(abciCli ?? '', ['--address', kvstore.address, ...args])
    expect((await ask('check_tx', '"a=b=c"')).stdout).toContain('code: OK')
    expect((await ask('finalize_block', '"plain"')).stdout).toContain('0x0200000000000000')
    await ask('commit')
    expect((await ask('query', '"plain"')).stdout).toContain('-> value: plain')
    expect(await kvstore.stop('SIGINT')).toBe(0)
  })
})
