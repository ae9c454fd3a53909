import { StargateClient } from '@cosmjs/stargate'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { createHttpTransport, createRpcClient, type RpcTransport } from '@org/rpc/client'
import { HOUR } from '@org/test-kit'
import { bytesToHex } from '@org/types/bytes'
import { expect, onTestFinished, test } from 'vitest'
import { createVerifiedTransport } from '../src/cosmjs/index.ts'
import { createHttpProvider, createLightClient, createMemoryLightStore } from '../src/index.ts'
import { lyingTransport } from './lies.ts'
import { halley, startNode } from './running-node.ts'

test('a StargateClient works over a verified transport, and refuses a lie', async () => {
  const node = await startNode(halley)
  onTestFinished(() => node[Symbol.asyncDispose]())
  const { url } = node
  const client = createRpcClient(createHttpTransport(url))
  const chainId = (await client.status()).nodeInfo.network
  const { blockId } = await client.block({ height: 3 })
  const light = await createLightClient(
    { chainId, trust: { height: 3, hash: blockId.hash }, trustingPeriod: 10n * 365n * 24n * HOUR },
    {
      primary: createHttpProvider({ chainId, url }),
      witnesses: [createHttpProvider({ chainId, url })],
      store: createMemoryLightStore(),
    },
  )
  const over = (transport: RpcTransport): StargateClient =>
    StargateClient.create(Comet38Client.create(createVerifiedTransport({ maxWaitMs: 0 }, { transport, light })))
  const [found] = (await client.txSearch({ query: 'tx.height > 3', perPage: 1 })).txs
  if (found === undefined) throw new Error('the recorded chain has no transaction')

  const http = createHttpTransport(url)
  const honest = over(http)
  expect(await honest.getChainId()).toBe(chainId)
  expect(await honest.getHeight()).toBeGreaterThan(70)
  const block = await honest.getBlock(found.height)
  const { header } = await light.verifyAtHeight(found.height)
  expect([block.header.height, block.header.chainId, block.txs.length]).toEqual([header.height, chainId, 1])
  const tx = await honest.getTx(bytesToHex(found.hash))
  expect([tx?.height, tx?.code, tx?.tx]).toEqual([found.height, 0, found.tx])
  expect((await honest.searchTx(`tx.height=${found.height}`)).map(({ hash }) => hash)).toEqual([bytesToHex(found.hash)])

  const other = (result: unknown): unknown =>
    JSON.parse(JSON.stringify(result).replaceAll(`"height":"${found.height}"`, `"height":"${found.height + 1}"`))
  const liar = over(lyingTransport(http, 'tx_search', other as Parameters<typeof lyingTransport>[2]))
  await expect(liar.getTx(bytesToHex(found.hash))).rejects.toThrow(/LIGHT_|is wrong|cannot be verified/)
})
