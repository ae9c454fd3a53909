import { launch } from '@org/golden'
import { ResponseCheckTx } from '@org/types/abci'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createHttpTransport, createRpcClient, createWebSocketTransport } from '../src/client/index.ts'
import { createMemoryEvents } from './memory-events.ts'
import { startRpc } from './start-rpc.ts'

const TX_HASH = '57D835FBBA0DBF922D8A2EDA56922C9B24E7760927F245A7684A736C4769DB8A'

describe('bytes given as a text', () => {
  test('default: a hash in hex, with or without 0x', async () => {
    await using running = await startRpc()
    const client = createRpcClient(createHttpTransport(`http://127.0.0.1:${running.port}`))
    for (const hash of [TX_HASH, TX_HASH.toLowerCase(), `0x${TX_HASH}`])
      expect(bytesToHex((await client.tx({ hash })).hash)).toBe(TX_HASH)
    const { blockId } = await client.block({ height: 53 })
    const { header } = await client.headerByHash({ hash: bytesToHex(blockId.hash) })
    expect(header?.height).toBe(53)
    expect((await client.blockByHash({ hash: bytesToHex(blockId.hash) })).blockId).toEqual(blockId)
  })

  test('error: a value in place of the object of arguments is refused, and nothing is sent', async () => {
    const client = createRpcClient({ send: () => Promise.reject(new Error('sent')), close: () => undefined })
    for (const args of ['name=z', 7, null, ['name=z'], new Uint8Array(1)])
      await expect(client.broadcastTxSync(args as never)).rejects.toMatchObject({
        code: 'RPC_CLIENT_ARGUMENT',
        message: expect.stringMatching(/broadcast_tx_sync: arguments must be an object, such as \{ tx: … \}/),
      })
  })

  test('default: a transaction and the data of a query are UTF-8', async () => {
    const got: Uint8Array[] = []
    const checkTx = async (tx: Uint8Array) => {
      got.push(tx)
      return ResponseCheckTx.create()
    }
    const mempool = { checkTx, reapMaxTxs: () => [], size: () => 0, sizeBytes: () => 0, flush: () => undefined }
    await using running = await startRpc({}, { mempool })
    const client = createRpcClient(createHttpTransport(`http://127.0.0.1:${running.port}`))
    await client.broadcastTxSync({ tx: 'name=höhe' })
    await client.broadcastTxSync({ tx: utf8ToBytes('as=before') })
    await client.broadcastTxSync({ tx: Buffer.from('a=buffer') })
    expect(got.map((tx) => new TextDecoder().decode(tx))).toEqual(['name=höhe', 'as=before', 'a=buffer'])
  })

  test.each([
    ['hash', { hash: 'xyz' }, 'tx: hash must be a Uint8Array or hex digits, two for each byte, got the text "xyz"'],
    ['hash', { hash: '0x123' }, 'tx: hash must be a Uint8Array or hex digits, two for each byte, got the text "0x123"'],
    ['hash', { hash: 7 }, 'tx: hash must be a Uint8Array or hex digits, two for each byte, got number'],
    ['hash', { hash: null }, 'tx: hash must be a Uint8Array or hex digits, two for each byte, got null'],
    ['hash', { hash: [1, 2] }, 'tx: hash must be a Uint8Array or hex digits, two for each byte, got object'],
  ])('error: %s, %j', async (argument, args, message) => {
    const client = createRpcClient(createHttpTransport('http://127.0.0.1:1'))
    await expect(client.tx(args as never)).rejects.toMatchObject({
      code: 'RPC_CLIENT_ARGUMENT',
      data: { method: 'tx', argument },
      message: expect.stringContaining(message),
    })
  })
})

describe('a node with another default profile', () => {
  test('default: answers over HTTP and WebSocket are read', async () => {
    const events = createMemoryEvents()
    await using running = await startRpc({ responseProfile: 'openapi' }, { events })
    const http = createRpcClient(createHttpTransport(`http://127.0.0.1:${running.port}`))
    using closing = new DisposableStack()
    const live = createRpcClient(createWebSocketTransport(`ws://127.0.0.1:${running.port}/websocket`))
    closing.defer(live.close)
    for (const client of [http, live]) {
      expect((await client.status()).syncInfo.latestBlockHeight).toBe(75)
      expect((await client.block({ height: 53 })).block?.header.height).toBe(53)
      await expect(client.block({ height: 1000 })).rejects.toMatchObject({ data: { rpcCode: -32603 } })
    }
  })

  test('behavior: a profile in the address of a WebSocket stays', async () => {
    const asked: string[] = []
    const connect = (address: string): WebSocket => {
      asked.push(address)
      return new WebSocket(address)
    }
    await using running = await startRpc()
    const base = `ws://127.0.0.1:${running.port}/websocket`
    for (const url of [base, `${base}?a=b`, `${base}?profile=v0.38`]) {
      const live = createRpcClient(createWebSocketTransport(url, { connect }))
      await live.health()
      live.close()
    }
    expect(asked.map((address) => address.slice(base.length))).toEqual([
      '?profile=v0.38',
      '?a=b&profile=v0.38',
      '?profile=v0.38',
    ])
  })
})

describe('a runtime without WebSocket, such as Node.js 20', () => {
  const INDEX = new URL('../src/client/index.ts', import.meta.url).href
  const imports = `import { createRpcClient, createWebSocketTransport } from '${INDEX}';`
  const inNode = (code: string, args: readonly string[]) =>
    launch(
      process.execPath,
      ['--no-warnings', '--no-experimental-websocket', '--input-type=module-typescript', ...args, '--eval', code],
      {
        cwd: new URL('..', import.meta.url).pathname,
      },
    )

  test('error: the error names the line to write, and that line works', async () => {
    await using running = await startRpc()
    const url = `ws://127.0.0.1:${running.port}/websocket`
    const failing = `${imports} createRpcClient(createWebSocketTransport('${url}')).health().catch(({ message }) => console.log(message))`
    await using failed = inNode(failing, [])
    const message = await failed.saw(/this runtime has no WebSocket/)
    const [, line = ''] = /write: (.*)$/.exec(message) ?? []
    expect(line).toContain("from 'ws'")
    const working = `${imports} const url = '${url}'; const live = createRpcClient(${line.replace('; ', ';\n').replace(/^[^\n]*\n/, '')}); await live.health(); console.log('answered'); live.close()`
    await using worked = inNode(`import { WebSocket } from 'ws';\n${working}`, [])
    expect(await worked.saw(/^answered$/)).toBe('answered')
  })
})
