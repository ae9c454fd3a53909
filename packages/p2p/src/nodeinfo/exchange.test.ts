import { createVirtualClock } from '@org/runtime'
import { generateEd25519, publicKeyOf } from '@org/types/crypto'
import { DefaultNodeInfo } from '@org/types/p2p'
import { expect, test } from 'vitest'
import type { SecretConnection } from '../secret/index.ts'
import { memoryTransportPair } from '../transport/index.ts'
import { exchangeNodeInfo } from './exchange.ts'

const INFO = DefaultNodeInfo.create({ defaultNodeId: 'a'.repeat(40), moniker: 'me', network: 'here' })
const refused = { code: 'REJECTED_AUTHENTICATION' }

function begun() {
  const clock = createVirtualClock()
  const [own, other] = memoryTransportPair(['10.0.0.1:1', '10.0.0.2:1'])
  const connection: SecretConnection = { ...own, remoteKey: publicKeyOf(generateEd25519()) }
  return { clock, other, exchanged: exchangeNodeInfo(connection, INFO, { timeoutMs: 1000, clock }) }
}

test('default: both sides receive the node info, and later bytes are kept', async () => {
  const { other, exchanged } = begun()
  other.write(Uint8Array.of(...DefaultNodeInfo.encodeDelimited({ ...INFO, moniker: 'you' }), 1, 2, 3))
  const { info, rest } = await exchanged
  expect(info).toEqual({ ...INFO, moniker: 'you' })
  expect(rest).toEqual(Uint8Array.of(1, 2, 3))
})

test('error: a peer that sends nothing in time, or closes, is refused', async () => {
  const silent = begun()
  silent.clock.advance(1001)
  await expect(silent.exchanged).rejects.toMatchObject(refused)
  const gone = begun()
  gone.other.close()
  await expect(gone.exchanged).rejects.toMatchObject(refused)
})

test('error: a node info above 10 kB and an invalid node info are refused', async () => {
  const long = begun()
  // The peer announces a length of 10,241 bytes and sends no bytes after it.
  long.other.write(Uint8Array.of(0x81, 0x50))
  await expect(long.exchanged).rejects.toMatchObject({ ...refused, message: expect.stringContaining('too long') })
  const nonsense = begun()
  nonsense.other.write(Uint8Array.of(3, 255, 255, 255))
  await expect(nonsense.exchanged).rejects.toMatchObject({
    ...refused,
    message: expect.stringContaining('cannot be decoded'),
  })
})
