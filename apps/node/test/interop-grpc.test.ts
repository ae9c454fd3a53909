import { Client, credentials, type ServiceError } from '@grpc/grpc-js'
import { freePort } from '@org/golden'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FAST, launchNode, makeHome, startNode } from './support/node.ts'
import { findCometbft, launch, temporaryFolder } from './support/process.ts'

const cometbft = findCometbft() ?? ''
const same = (bytes: Buffer): Buffer => bytes

type Call = (path: string, message: Buffer) => Promise<unknown>

/** Calls a node with the gRPC library; gives the bytes of the answer, or the status. */
function caller(port: number): Call {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.max_send_message_length': -1,
    'grpc.enable_http_proxy': 0,
  })
  onTestFinished(() => client.close())
  return (path, message) =>
    new Promise((resolve) => {
      const done = (error: ServiceError | null, bytes?: Buffer): void =>
        resolve(error === null ? bytes?.toString('hex') : { code: error.code, details: error.details })
      client.makeUnaryRequest(path, same, same, message, done)
    })
}

/** A `RequestBroadcastTx`. */
function broadcastOf(tx: Buffer): Buffer {
  const length = [tx.length & 0x7f, (tx.length >> 7) & 0x7f, (tx.length >> 14) & 0x7f, tx.length >> 21]
  return Buffer.concat([Buffer.from([0x0a, ...length.map((part, i) => (i < 3 ? part | 0x80 : part))]), tx])
}

const API = '/tendermint.rpc.grpc.BroadcastAPI'
const tx = (text: string): Buffer => broadcastOf(Buffer.from(text))

const CALLS: readonly (readonly [name: string, path: string, message: Buffer])[] = [
  ['Ping', `${API}/Ping`, Buffer.alloc(0)],
  ['Ping with unknown fields', `${API}/Ping`, Buffer.from([0x0a, 1, 65])],
  ['a transaction', `${API}/BroadcastTx`, tx('name=satoshi')],
  ['the same transaction again', `${API}/BroadcastTx`, tx('name=satoshi')],
  ['a transaction that the application refuses', `${API}/BroadcastTx`, tx('no key')],
  ['an empty transaction', `${API}/BroadcastTx`, Buffer.alloc(0)],
  ['a transaction above the mempool’s limit', `${API}/BroadcastTx`, broadcastOf(Buffer.alloc(1_100_000, 'a'))],
  ['a message above the limit', `${API}/BroadcastTx`, Buffer.alloc(4_194_305)],
  ['an unknown method', `${API}/Nothing`, Buffer.alloc(0)],
  ['an unknown service', '/some.Service/Method', Buffer.alloc(0)],
  ['a path without a method', '/', Buffer.alloc(0)],
]

describe.skipIf(cometbft === '')('gRPC beside the reference (skipped without a cometbft on PATH)', () => {
  test('default: each call has the same answer, to the byte', async () => {
    const [ourPort, theirPort, rpc, p2p] = [await freePort(), await freePort(), await freePort(), await freePort()]
    const ours = await startNode(
      await makeHome(temporaryFolder()),
      ...['--proxy_app=kvstore-v0.38', `--rpc.grpc_laddr=tcp://127.0.0.1:${ourPort}`, ...FAST],
    )
    const theirs = launch(cometbft, [
      ...['start', '--home', await makeHome(temporaryFolder()), '--proxy_app=kvstore'],
      ...[`--rpc.laddr=tcp://127.0.0.1:${rpc}`, `--p2p.laddr=tcp://127.0.0.1:${p2p}`],
      `--rpc.grpc_laddr=tcp://127.0.0.1:${theirPort}`,
    ])
    await theirs.saw('Started node')
    const [ask, wanted] = [caller(ourPort), caller(theirPort)]
    for (const [name, path, message] of CALLS)
      expect(await ask(path, message), name).toEqual(await wanted(path, message))
    // A second node there names the flag of gRPC.
    const second = launchNode(
      await makeHome(temporaryFolder()),
      ...['--proxy_app=kvstore', `--rpc.grpc_laddr=tcp://127.0.0.1:${ourPort}`],
    )
    await second.ended
    expect(second.output()).toMatch(/another program listens on .*--rpc\.grpc_laddr=/)
    const stored = await ours.ask<{ response: { value: string } }>('/abci_query?data="name"')
    expect(Buffer.from(stored.response.value, 'base64').toString()).toBe('satoshi')
  })
})
