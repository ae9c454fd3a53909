import { utf8ToBytes } from '@org/types/bytes'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDevnet, DEVNET_ERRORS, type Devnet, type DevnetOptions, readDump } from '../src/devnet/index.ts'
import { createKeyValueApp } from './support/key-value-app.ts'

async function start(options: Partial<DevnetOptions> = {}) {
  const devnet = await createDevnet({ app: createKeyValueApp, ...options })
  onTestFinished(devnet.stop)
  const { devnet: control } = devnet.ports
  const send = async (tx: string): Promise<void> => {
    await devnet.ports.mempool?.checkTx(utf8ToBytes(tx))
    await control.mine(1)
  }
  const value = async (key: string): Promise<string> => {
    const request = { path: '', data: utf8ToBytes(key), height: 0, prove: false }
    return new TextDecoder().decode((await devnet.ports.app?.query(request))?.value)
  }
  const blockHash = (height: number): Uint8Array | undefined => devnet.ports.blocks.loadBlockMeta(height)?.blockId.hash
  return { devnet, control, send, value, blockHash }
}

describe('a dump of a devnet', () => {
  test.each([1, 4])('default: dev_load continues it in another devnet (%i validators)', async (validators) => {
    const one = await start({ validators, genesis: { chainId: 'dumped' } })
    const [address = ''] = Object.keys(one.control.setSigning(await anyAddress(one.devnet), true))
    await one.control.mine(2)
    await one.send('a=1')
    await one.control.setPower(address, 17n)
    one.control.advanceTime(86_400_000)
    await one.control.mine(3)
    const dump = await one.control.dump()
    const height = one.devnet.height()
    const other = await start()
    await other.send('a=2')
    expect(await other.control.load(dump)).toBe(height)
    expect([other.devnet.chainId(), await other.value('a')]).toEqual(['dumped', '1'])
    expect(other.blockHash(height)).toEqual(one.blockHash(height))
    await other.send('b=3')
    expect([await other.value('b'), other.devnet.height()]).toEqual(['3', height + 1])
    await other.control.mine(3)
    expect(await other.control.reset()).toBe(height)
    // The first devnet continues as before.
    expect(await one.control.mine(1)).toBe(height + 1)
  })

  test('error: bytes that are not an intact dump are refused, and the chain continues', async () => {
    const { devnet, control, send, value } = await start()
    await send('a=1')
    const dump = await control.dump()
    const changed = (at: number, by = 1): Uint8Array => dump.map((byte, i) => (i === at ? byte ^ by : byte))
    const cases: readonly (readonly [Uint8Array, string])[] = [
      [new Uint8Array(0), DEVNET_ERRORS.dumpForeign],
      [utf8ToBytes('a file of another program'), DEVNET_ERRORS.dumpForeign],
      [dump.slice(0, 5), DEVNET_ERRORS.dumpTruncated],
      [dump.slice(0, 40), DEVNET_ERRORS.dumpTruncated],
      [dump.slice(0, -1), DEVNET_ERRORS.dumpTruncated],
      [changed(0), DEVNET_ERRORS.dumpForeign],
      [changed(11), DEVNET_ERRORS.dumpVersion],
      [changed(12, 0xff), DEVNET_ERRORS.dumpTooLarge],
      [changed(20), DEVNET_ERRORS.dumpCorrupt],
      [changed(dump.length - 3), DEVNET_ERRORS.dumpCorrupt],
      [new Uint8Array([...dump, 0]), DEVNET_ERRORS.dumpCorrupt],
    ]
    for (const [bytes, code] of cases) await expect(control.load(bytes)).rejects.toMatchObject({ code })
    await send('b=2')
    expect([await value('a'), await value('b'), devnet.height()]).toEqual(['1', '2', 2])
  })

  test('error: a chain that another application made is refused, and the present chain continues', async () => {
    const one = await start()
    await one.send('a=1')
    const dump = await one.control.dump()
    const other = await start({
      app: () => ({ finalizeBlock: ({ txs }) => ({ txResults: txs.map(() => ({ code: 0 })), appHash: 'other' }) }),
    })
    await other.control.mine(2)
    await expect(other.control.load(dump)).rejects.toThrow()
    expect(await other.control.mine(1)).toBe(3)
  })

  test('behavior: the chain in a dump has the keys of its validators', async () => {
    const { control } = await start({ validators: 2 })
    await control.mine(1)
    const { keys, genesis, blocks } = await readDump(await control.dump())
    expect([keys.length, genesis.validators.length, blocks?.height]).toEqual([2, 2, 1])
  })

  test('limit: bytes that a dump names several times are in memory only once', async () => {
    const { control } = await start({ validators: 2 })
    await control.mine(1)
    const { nodes = [] } = await readDump(await control.dump())
    const [first, second] = nodes.map(({ stores }) =>
      [...stores.values()].flat().flatMap((op) => (op.type === 'put' && op.value.length > 100 ? [op.value] : [])),
    )
    expect(first).not.toHaveLength(0)
    for (const [i, value] of (first ?? []).entries()) expect(second?.[i]).toBe(value)
  })
})

async function anyAddress({ ports }: Devnet): Promise<string> {
  const { validators } = ports.state.loadValidators(1)
  return Buffer.from(validators[0]?.address ?? new Uint8Array(0)).toString('hex')
}
