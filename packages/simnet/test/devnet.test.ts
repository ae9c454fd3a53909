import { once } from 'node:events'
import type { Application } from '@org/abci'
import { createHttpTransport } from '@org/rpc/client'
import { createDevnetClient } from '@org/rpc/client/devnet'
import { createRpcServer } from '@org/rpc/server'
import { createListeners, LIFECYCLE_ERRORS, type LogFields, noopLogger } from '@org/runtime'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { localApplications } from '../src/devnet/applications/index.ts'
import { createDevnet, DEVNET_ERRORS, type DevnetOptions } from '../src/devnet/index.ts'

interface Header {
  readonly time: string
}
interface Monitor {
  readonly Bytes: string
}
interface PeerAnswer {
  readonly connection_status: { readonly SendMonitor: Monitor; readonly RecvMonitor: Monitor }
}
interface BlockAnswer {
  readonly header: Header
  readonly last_commit: { readonly signatures: readonly { readonly block_id_flag: number }[] }
  readonly evidence: {
    readonly evidence: readonly {
      readonly value: {
        readonly vote_a: { readonly validator_address: string }
        readonly ByzantineValidators?: readonly { readonly address: string }[] | null
      }
    }[]
  }
}
/** The members that the tests read from JSON answers. This type has the members of the answers of all methods. */
interface Answer {
  readonly sync_info: { readonly latest_block_height: string }
  readonly validator_info: { readonly address: string }
  readonly response: { readonly value: string | null }
  readonly block: BlockAnswer
  readonly peers: readonly PeerAnswer[]
  readonly validators: readonly { readonly address: string; readonly voting_power: string }[]
  readonly tx_result: { readonly code: number }
  readonly new_time: string
  readonly new_signing_status_map: Readonly<Record<string, boolean>>
  readonly id: string
  readonly dump: string
  readonly hash: string
  readonly delays: readonly { readonly from: string; readonly to: string; readonly milliseconds: string }[]
}
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Creates an application whose transactions are `key=value` pairs. The application keeps the pairs in memory. */
function keyValueApp(): Application {
  const pairs = new Map<string, string>()
  return {
    finalizeBlock: ({ txs }) => {
      for (const tx of txs) {
        const [key = '', value = ''] = new TextDecoder().decode(tx).split('=')
        pairs.set(key, value)
      }
      return { txResults: txs.map(() => ({ code: 0 })) }
    },
    query: ({ data }) => ({ value: utf8ToBytes(pairs.get(new TextDecoder().decode(data)) ?? '') }),
  }
}

async function start(options: Partial<DevnetOptions> = {}) {
  const devnet = await createDevnet({ app: keyValueApp, ...options })
  onTestFinished(devnet.stop)
  const server = createRpcServer({ ports: devnet.ports, options: { laddr: 'tcp://127.0.0.1:0', cacheBytes: 0 } })
  const listener = await server.listen()
  onTestFinished(() => listener.stop())
  const url = (listener.addresses[0] as string).replace('tcp', 'http')
  const call = async (method: string, params: object = {}): Promise<Answer> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const { result, error } = (await (await fetch(url, { method: 'POST', body })).json()) as {
      readonly result: Answer
      readonly error?: { readonly data: string }
    }
    if (error !== undefined) throw new Error(error.data)
    return result
  }
  const height = async (): Promise<number> => Number((await call('status')).sync_info.latest_block_height)
  const value = async (key: string): Promise<string> => {
    const { response } = await call('abci_query', { data: bytesToHex(utf8ToBytes(key)) })
    return Buffer.from(response.value ?? '', 'base64').toString()
  }
  const send = (tx: string): Promise<Answer> => call('broadcast_tx_commit', { tx: Buffer.from(tx).toString('base64') })
  const block = async (at?: number): Promise<BlockAnswer> =>
    (await call('block', at ? { height: String(at) } : {})).block
  const addresses = async (): Promise<string[]> => (await call('validators')).validators.map(({ address }) => address)
  return { devnet, url, call, height, value, send, block, addresses }
}

describe('the calls of CometMock', () => {
  test('default: advance_blocks makes signed blocks over each transport, with its parameters as texts', async () => {
    const { url, call, height, block } = await start()
    expect(await call('advance_blocks', { num_blocks: '20' })).toEqual({})
    expect(await height()).toBe(20)
    expect(await (await fetch(`${url}/advance_blocks?num_blocks=5`)).json()).toMatchObject({ result: {} })
    const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`)
    await new Promise((resolve) => socket.once('open', resolve))
    const answer = new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(String(data)))))
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'advance_blocks', params: { num_blocks: 3 } }))
    expect(await answer).toMatchObject({ id: 7, result: {} })
    socket.close()
    expect(await height()).toBe(28)
    expect((await block(28)).last_commit.signatures).toMatchObject([{ block_id_flag: 2 }])
  })

  test('default: advance_time moves the clock, which the block after the next one shows', async () => {
    const { call, block } = await start()
    await call('advance_blocks', { num_blocks: '1' })
    const before = Date.parse((await block()).header.time)
    const { new_time: time } = await call('advance_time', { duration_in_seconds: '86400' })
    expect(Date.parse(time) - before).toBeGreaterThanOrEqual(86_400_000)
    const { new_time: same } = await call('advance_time', { duration_in_seconds: '0' })
    expect(Date.parse(same)).toBeGreaterThanOrEqual(Date.parse(time))
    expect(Date.parse(same) - Date.parse(time)).toBeLessThan(86_400_000)
    await call('advance_blocks', { num_blocks: '2' })
    expect(Date.parse((await block()).header.time) - before).toBeGreaterThanOrEqual(86_400_000)
  })

  test('default: set_signing_status leaves a validator out of the commits, until it is up again', async () => {
    const { call, block, addresses } = await start({ validators: 4 })
    const [, , , last = ''] = await addresses()
    const { new_signing_status_map: map } = await call('set_signing_status', {
      private_key_address: last,
      status: 'down',
    })
    expect(Object.entries(map).filter(([, signs]) => !signs)).toEqual([[last, false]])
    await call('advance_blocks', { num_blocks: '5' })
    const flags = async (): Promise<number[]> => (await block()).last_commit.signatures.map((one) => one.block_id_flag)
    expect(await flags()).toEqual([2, 2, 2, 1])
    await call('set_signing_status', { private_key_address: `0x${last.toLowerCase()}`, status: 'up' })
    await call('advance_blocks', { num_blocks: '5' })
    expect(await flags()).toEqual([2, 2, 2, 2])
  })

  test('default: cause_double_sign puts evidence of the validator into a block', async () => {
    const { call, height, block, addresses } = await start({ validators: 4 })
    const [, second = ''] = await addresses()
    expect(await call('cause_double_sign', { private_key_address: second })).toEqual({})
    const found: string[] = []
    for (let at = await height(); at > 0; at--) {
      const { evidence } = (await block(at)).evidence
      found.push(...evidence.map(({ value }) => value.vote_a.validator_address))
    }
    expect(found).toEqual([second])
  })

  test.each([
    { type: 'Lunatic', validators: 1, guilty: 1 },
    { type: 'Equivocation', validators: 1, guilty: 1 },
    { type: 'Amnesia', validators: 1, guilty: 0 },
    { type: 'Lunatic', validators: 4, guilty: 2 },
    { type: 'Equivocation', validators: 4, guilty: 3 },
    { type: 'Amnesia', validators: 4, guilty: 0 },
  ])(
    'default: cause_light_client_attack ($type, $validators validators) puts evidence into a block',
    async (example) => {
      const { type, validators, guilty } = example
      const { call, height, block, addresses } = await start({ validators })
      const address = (await addresses()).at(-1) ?? ''
      expect(
        await call('cause_light_client_attack', { private_key_address: address, misbehaviour_type: type }),
      ).toEqual({})
      const found: (readonly { readonly address: string }[])[] = []
      for (let at = await height(); at > 0; at--) {
        const { evidence } = (await block(at)).evidence
        found.push(...evidence.map(({ value }) => value.ByzantineValidators ?? []))
      }
      expect(found).toHaveLength(1)
      const [liars = []] = found
      expect(liars).toHaveLength(guilty)
      if (guilty > 0) expect(liars.map(({ address }) => address)).toContain(address)
    },
  )

  test('error: another kind of attack is refused', async () => {
    const { call, addresses } = await start()
    const [address] = await addresses()
    const given = { private_key_address: address, misbehaviour_type: 'Perjury' }
    await expect(call('cause_light_client_attack', given)).rejects.toThrow('Lunatic, Equivocation or Amnesia')
  })
})

describe('time and blocks', () => {
  test('default: a transaction gets its block at once, and the chain stands still without one', async () => {
    const { send, height, value } = await start()
    expect((await send('name=satoshi')).tx_result.code).toBe(0)
    expect(await value('name')).toBe('satoshi')
    const before = await height()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await height()).toBe(before)
  })

  test('behavior: without automine a transaction waits for dev_mine', async () => {
    const { call, value } = await start({ automine: false })
    await call('broadcast_tx_sync', { tx: Buffer.from('a=1').toString('base64') })
    expect(await value('a')).toBe('')
    await call('dev_mine')
    expect(await value('a')).toBe('1')
    await call('dev_automine', { enabled: true })
    await call('broadcast_tx_commit', { tx: Buffer.from('b=2').toString('base64') })
    expect(await value('b')).toBe('2')
  })

  test('default: dev_mine makes blocks with a time between them', async () => {
    const { call, block } = await start()
    expect(await call('dev_mine', { blocks: 4, interval: 60_000 })).toEqual({ height: '4' })
    const times = await Promise.all([3, 4].map(async (at) => Date.parse((await block(at)).header.time)))
    expect((times[1] as number) - (times[0] as number)).toBeGreaterThanOrEqual(60_000)
  })

  test('default: dev_interval makes a block again and again, until it is 0', async () => {
    const { call, height } = await start()
    await call('dev_interval', { milliseconds: 5 })
    await expect.poll(height, { timeout: 5000 }).toBeGreaterThan(3)
    await call('dev_interval', { milliseconds: 0 })
    await new Promise((resolve) => setTimeout(resolve, 50))
    const before = await height()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await height()).toBe(before)
  })

  test('default: dev_setTime takes RFC 3339 or seconds; a time before the last block is refused', async () => {
    const { call } = await start()
    await call('dev_mine')
    const { new_time: time } = await call('dev_setTime', { time: '2100-01-01T00:00:00Z' })
    expect(time).toMatch(/^2100-01-01T00:00:00/)
    expect((await call('dev_setTime', { time: '4200000000' })).new_time).toMatch(/^2103-/)
    await call('dev_mine', { blocks: 2 })
    await expect(call('dev_setTime', { time: '2001-01-01T00:00:00Z' })).rejects.toThrow(
      'must be after the time of the last block',
    )
    await expect(call('dev_setTime', { time: 'soon' })).rejects.toThrow('time must be RFC 3339')
    const { new_time: later } = await call('dev_increaseTime', { seconds: 10 })
    expect(later).toMatch(/^2103-/)
  })
})

describe('powers of validators', () => {
  const powersOf = async (call: (method: string) => Promise<Answer>): Promise<Record<string, string>> =>
    Object.fromEntries((await call('validators')).validators.map((one) => [one.address, one.voting_power]))

  test('default: dev_validators changes, removes and adds a validator; the powers are right after a revert and a restart', async () => {
    const { url, call, addresses } = await start({ validators: 4 })
    const [second = '', third = ''] = await allButFirst(url, await addresses())
    expect(await call('dev_validators', { validator: second, power: '25' })).toEqual({ height: '3' })
    expect(await powersOf(call)).toMatchObject({ [second]: '25', [third]: '10' })
    const { id } = await call('dev_snapshot')
    await call('dev_validators', { validator: third, power: '0' })
    expect(Object.keys(await powersOf(call))).not.toContain(third)
    await call('dev_crash', { validator: third })
    await call('dev_mine', { blocks: 2 })
    await call('dev_restart', { validator: third })
    await call('dev_validators', { validator: third, power: '7' })
    expect(await powersOf(call)).toMatchObject({ [second]: '25', [third]: '7' })
    await call('dev_revert', { id })
    await call('dev_mine', { blocks: 3 })
    expect(await powersOf(call)).toMatchObject({ [second]: '25', [third]: '10' })
  })

  test('error: the last validator cannot be removed, and the sum of powers has a limit', async () => {
    const { url, call, addresses } = await start()
    const [only = ''] = await addresses()
    expect(url).not.toBe('')
    await expect(call('dev_validators', { validator: only, power: '0' })).rejects.toThrow('would be left')
    await expect(call('dev_validators', { validator: only, power: '9223372036854775807' })).rejects.toThrow('at most')
    await expect(call('dev_validators', { validator: only, power: '-1' })).rejects.toThrow('cannot be -1')
    expect(await call('dev_validators', { validator: only, power: '1' })).toEqual({ height: '3' })
  })
})

describe('transactions that wait', () => {
  test.each([1, 4])(
    'default: dev_dropTx and dev_holdTx keep them out of blocks (%i validators)',
    async (validators) => {
      const { call, value } = await start({ validators, automine: false })
      const sent = async (text: string): Promise<string> => (await call('broadcast_tx_sync', { tx: base64(text) })).hash
      await call('dev_mine')
      const [dropped, held] = [await sent('dropped=1'), await sent('held=1')]
      await call('dev_dropTx', { hash: dropped })
      await call('dev_holdTx', { hash: held, held: true })
      await call('dev_holdTx', { hash: held, held: true })
      await call('dev_mine', { blocks: 6 })
      expect([await value('dropped'), await value('held')]).toEqual(['', ''])
      await call('dev_holdTx', { hash: held, held: false })
      await sent('dropped=2')
      await call('dev_mine', { blocks: 6 })
      expect([await value('dropped'), await value('held')]).toEqual(['2', '1'])
      for (const method of ['dev_dropTx', 'dev_holdTx'])
        await expect(call(method, { hash: held, held: true })).rejects.toThrow('waits for a block')
      await expect(call('dev_holdTx', { hash: held, held: false })).rejects.toThrow('is held')
    },
  )

  test('default: a held transaction can be dropped, and none is left after dev_reset', async () => {
    const { call } = await start({ automine: false })
    const { hash } = await call('broadcast_tx_sync', { tx: base64('a=1') })
    await call('dev_holdTx', { hash, held: true })
    await call('dev_dropTx', { hash })
    await expect(call('dev_holdTx', { hash, held: false })).rejects.toThrow('is held')
    await call('broadcast_tx_sync', { tx: base64('a=1') })
    await call('dev_holdTx', { hash, held: true })
    await call('dev_reset')
    await expect(call('dev_holdTx', { hash, held: false })).rejects.toThrow('is held')
  })
})

describe('snapshots', () => {
  test('default: dev_revert restores the blocks and the application, twice; dev_reset restores the beginning', async () => {
    const { call, send, value, height } = await start()
    await send('a=1')
    const at = await height()
    const { id } = await call('dev_snapshot')
    for (const text of ['2', '3']) {
      await send(`a=${text}`)
      expect(await value('a')).toBe(text)
      expect(await call('dev_revert', { id })).toEqual({ height: String(at) })
      expect([await value('a'), await height()]).toEqual(['1', at])
    }
    expect(await call('dev_reset')).toEqual({ height: '0' })
    expect(await value('a')).toBe('')
    await send('b=2')
    expect(await value('b')).toBe('2')
  })

  test('default: subscriptions continue after a revert, a reset and a load', async () => {
    const { call, url } = await start()
    const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`)
    onTestFinished(() => socket.close())
    const heights: string[] = []
    socket.on('message', (data) => {
      const { result } = JSON.parse(String(data)) as {
        readonly result: { readonly data?: { readonly value: { readonly header: { readonly height: string } } } }
      }
      heights.push(result.data?.value.header.height ?? 'subscribed')
    })
    await once(socket, 'open')
    const params = { query: "tm.event='NewBlockHeader'" }
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params }))
    await expect.poll(() => heights).toEqual(['subscribed'])
    await call('advance_blocks', { num_blocks: '2' })
    const { id } = await call('dev_snapshot')
    const dump = await call('dev_dump')
    await call('advance_blocks', { num_blocks: '1' })
    await call('dev_revert', { id })
    await call('advance_blocks', { num_blocks: '2' })
    await call('dev_reset')
    await call('advance_blocks', { num_blocks: '1' })
    await call('dev_load', { dump: dump.dump })
    await call('advance_blocks', { num_blocks: '1' })
    await expect.poll(() => heights).toEqual(['subscribed', '1', '2', '3', '3', '4', '1', '3'])
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'unsubscribe', params }))
    await expect.poll(() => heights.at(-1)).toBe('subscribed')
    await call('advance_blocks', { num_blocks: '1' })
    expect(heights).toHaveLength(9)
  })

  test('error: an unknown snapshot, and a snapshot above the limit, are refused', async () => {
    const { call, devnet } = await start()
    await expect(call('dev_revert', { id: '99' })).rejects.toThrow('there is no snapshot "99"')
    for (let i = 1; i < 100; i++) await devnet.ports.devnet.snapshot()
    await expect(devnet.ports.devnet.snapshot()).rejects.toMatchObject({ code: DEVNET_ERRORS.tooManySnapshots })
  })
})

test('default: the typed client makes each call', async () => {
  const { url, addresses } = await start({ validators: 4 })
  const client = createDevnetClient(createHttpTransport(url))
  const [address = ''] = await allButFirst(url, await addresses())
  await client.advanceBlocks(2)
  expect(await client.mine()).toBe(3)
  const time = await client.advanceTime(60)
  expect(await client.setTime(new Date(Number(time / 1_000_000n) + 5000))).toBeGreaterThan(time)
  const id = await client.snapshot()
  expect(await client.setSigningStatus(address, 'down')).toMatchObject({ [address]: false })
  expect(await client.setSigningStatus(address, 'up')).toMatchObject({ [address]: true })
  await client.causeDoubleSign(address)
  await client.automine(false)
  await client.interval(0)
  await client.partition([address])
  await client.heal()
  expect(await client.delay(20, { to: address })).toHaveLength(3)
  expect(await client.delay(0)).toEqual([])
  await client.crash(address)
  await client.restart(address)
  expect(await client.setPower(address, 11)).toBeGreaterThan(3)
  const unknown = '00'.repeat(32)
  await expect(client.dropTx(unknown)).rejects.toThrow('waits for a block')
  await expect(client.holdTx(unknown)).rejects.toThrow('waits for a block')
  expect(await client.revert(id)).toBe(3)
  const info = await client.info()
  expect(info).toMatchObject({ automine: false, interval: 0, delays: [], maxDelay: 2000, heldTxs: [] })
  expect(info.snapshots).toContainEqual({ id, height: 3 })
  expect(info.validators).toContainEqual({ address, power: 10n, signs: true, runs: true, apart: false })
  expect(await client.reset()).toBe(0)
  await expect(client.crash('AB')).rejects.toMatchObject({ code: 'RPC_CLIENT_REFUSED' })
  await expect(client.setTime(new Date(Number.NaN))).rejects.toMatchObject({ code: 'RPC_CLIENT_ARGUMENT' })
  await expect(client.fork('/home/me/.cometbft')).rejects.toThrow('[DEVNET_FORK_UNAVAILABLE]')
})

describe('dev_info', () => {
  interface Info {
    readonly automine: boolean
    readonly interval: string
    readonly time: string
    readonly validators: readonly Record<'address' | 'power' | 'signs' | 'runs' | 'apart', unknown>[]
    readonly delays: readonly unknown[]
    readonly snapshots: readonly unknown[]
    readonly held_txs: readonly unknown[]
  }

  test('default: a new devnet has the settings with which it was started', async () => {
    const { call, addresses, url } = await start({ validators: 4, automine: false })
    const { validators, ...info } = (await call('dev_info')) as unknown as Info
    expect(info).toMatchObject({ automine: false, interval: '0', delays: [], max_delay: '2000', held_txs: [] })
    expect(info.snapshots).toEqual([{ id: '0', height: '0' }])
    const all = await addresses()
    const others = await allButFirst(url, all)
    expect(new Set(validators.map(({ address }) => address))).toEqual(new Set(all))
    expect(validators).toHaveLength(all.length)
    expect(others).not.toContain(validators[0]?.address)
    for (const each of validators) expect(each).toMatchObject({ power: '10', signs: true, runs: true, apart: false })
  })

  test('behavior: it shows each change, and a call of it changes nothing', async () => {
    const { call, addresses, url, height } = await start({ validators: 4, automine: false })
    const [second = '', third = '', fourth = ''] = await allButFirst(url, await addresses())
    await call('dev_automine', { enabled: true })
    await call('dev_validators', { validator: second, power: '0' })
    await call('dev_automine', { enabled: false })
    await call('dev_interval', { milliseconds: '86400000' })
    await call('set_signing_status', { private_key_address: third, status: 'down' })
    await call('dev_crash', { validator: fourth })
    await call('dev_partition', { validators: [fourth] })
    await call('dev_delay', { milliseconds: '40', from: second, to: third })
    const { id } = await call('dev_snapshot')
    const tx = Buffer.from(`held=${'1'.repeat(100)}`)
    const { hash } = await call('broadcast_tx_sync', { tx: tx.toString('base64') })
    await call('dev_holdTx', { hash, held: true })
    const { new_time: time } = await call('advance_time', { duration_in_seconds: '86400' })
    const before = await height()
    const info = (await call('dev_info')) as unknown as Info
    const of = (address: string) => info.validators.find((one) => one.address === address)
    expect(of(second)).toMatchObject({ power: '0', signs: true, runs: true, apart: false })
    expect(of(third)).toMatchObject({ power: '10', signs: false, runs: true, apart: false })
    expect(of(fourth)).toMatchObject({ power: '10', signs: true, runs: false, apart: true })
    expect(info).toMatchObject({ automine: false, interval: '86400000' })
    expect(info.delays).toEqual([{ from: second, to: third, milliseconds: '40' }])
    expect(info.snapshots).toEqual([
      { id: '0', height: '0' },
      { id, height: String(before) },
    ])
    expect(info.held_txs).toEqual([{ hash, size: '105', head: tx.subarray(0, 64).toString('base64') }])
    expect(Date.parse(info.time)).toBeGreaterThanOrEqual(Date.parse(time))
    expect(await height()).toBe(before)
    await call('dev_revert', { id })
    const after = (await call('dev_info')) as unknown as Info
    expect(after).toMatchObject({ delays: [], held_txs: [] })
    expect(after.validators.find(({ address }) => address === second)).toMatchObject({ power: '0' })
    for (const each of after.validators) expect(each).toMatchObject({ signs: true, runs: true, apart: false })
  })
})

describe('faults of validators', () => {
  test('default: the chain continues while one of four is down, and this one catches up when it is started', async () => {
    const { url, call, addresses, devnet } = await start({ validators: 4 })
    const [second = ''] = await allButFirst(url, await addresses())
    await call('dev_crash', { validator: second })
    await call('dev_mine', { blocks: 3 })
    await call('dev_restart', { validator: second })
    expect(await call('dev_mine', { blocks: 3 })).toEqual({ height: String(devnet.height()) })
    await expect(call('dev_restart', { validator: second })).rejects.toThrow('it is running and not down')
  })

  test('default: the chain continues while one of four is apart; with two apart, dev_mine is refused until dev_heal', async () => {
    const { url, call, addresses } = await start({ validators: 4 })
    const others = await allButFirst(url, await addresses())
    await call('dev_partition', { validators: others.slice(0, 1) })
    await call('dev_mine', { blocks: 2 })
    await call('dev_partition', { validators: others.slice(0, 2) })
    await expect(call('dev_mine')).rejects.toThrow('have a power of only 20')
    await call('dev_heal')
    await call('dev_mine', { blocks: 2 })
  })

  test('default: dev_delay makes the messages of one validator too late for its votes, until it ends', async () => {
    const { url, call, addresses, block, send } = await start({ validators: 4 })
    const [second = '', third = ''] = await allButFirst(url, await addresses())
    const absent = async (): Promise<boolean> => {
      const all = (await block()).last_commit.signatures
      return all[(await addresses()).indexOf(second)]?.block_id_flag === 1
    }
    await call('dev_mine', { blocks: 2 })
    expect((await call('dev_delay', { milliseconds: '2000', from: second })).delays).toHaveLength(3)
    await call('dev_mine', { blocks: 6 })
    expect(await absent()).toBe(true)
    const one = await call('dev_delay', { milliseconds: 40, from: `0x${second.toLowerCase()}`, to: third })
    expect(one.delays).toContainEqual({ from: second, to: third, milliseconds: '40' })
    expect(await call('dev_delay', { milliseconds: '0' })).toEqual({ delays: [] })
    await call('dev_mine', { blocks: 20 })
    expect(await absent()).toBe(false)
    expect((await call('dev_delay', { milliseconds: '500' })).delays).toHaveLength(12)
    expect((await send('late=1')).tx_result.code).toBe(0)
  })

  test('default: net_info shows the traffic of each peer, which grows with each block', async () => {
    const { call } = await start({ validators: 4 })
    const traffic = async (): Promise<readonly number[]> =>
      (await call('net_info')).peers.flatMap(({ connection_status: { SendMonitor, RecvMonitor } }) => [
        Number(SendMonitor.Bytes),
        Number(RecvMonitor.Bytes),
      ])
    await call('dev_mine')
    const before = await traffic()
    expect(before).toHaveLength(6)
    expect(Math.min(...before)).toBeGreaterThan(0)
    await call('dev_mine')
    for (const [i, bytes] of (await traffic()).entries()) expect(bytes).toBeGreaterThan(before[i] ?? 0)
  })

  test('behavior: dev_reset ends partitions and delays', async () => {
    const { url, call, addresses } = await start({ validators: 4 })
    const others = await allButFirst(url, await addresses())
    await call('dev_mine')
    await call('dev_delay', { milliseconds: '2000' })
    await call('dev_partition', { validators: others.slice(0, 2) })
    expect(await call('dev_reset')).toEqual({ height: '0' })
    expect(await call('dev_mine', { blocks: 3 })).toEqual({ height: '3' })
    expect((await call('dev_delay', { milliseconds: '1', from: others[0], to: others[1] })).delays).toHaveLength(1)
  })

  test('error: a delay or a partition that changes no message is refused', async () => {
    const { url, call, addresses } = await start({ validators: 2 })
    const all = await addresses()
    const [second = ''] = await allButFirst(url, all)
    await expect(call('dev_delay', { milliseconds: '5', from: second, to: second })).rejects.toThrow('name two')
    await expect(call('dev_delay', { milliseconds: '2001' })).rejects.toThrow('from 0 to 2000')
    await expect(call('dev_delay', { milliseconds: '5', from: 'AB' })).rejects.toThrow('its validators are')
    await expect(call('dev_partition', { validators: [] })).rejects.toThrow('the call names no validator')
    await expect(call('dev_partition', { validators: all })).rejects.toThrow('the call names all 2 validators')
    const alone = await start()
    await expect(alone.call('dev_delay', { milliseconds: '5' })).rejects.toThrow('has one validator')
  })

  test('error: the answer names a request that is impossible', async () => {
    const { call, addresses } = await start()
    const [only = ''] = await addresses()
    await expect(call('dev_crash', { validator: only })).rejects.toThrow(
      'cannot be ended, because it answers this call',
    )
    await expect(call('cause_double_sign', { private_key_address: 'AB' })).rejects.toThrow(`its validators are ${only}`)
    await expect(call('set_signing_status', { private_key_address: only, status: 'off' })).rejects.toThrow('up or down')
    await call('set_signing_status', { private_key_address: only, status: 'down' })
    await expect(call('advance_blocks', { num_blocks: '1' })).rejects.toThrow('have a power of only 0')
    for (const blocks of ['0', '-1', '99999999999'])
      await expect(call('advance_blocks', { num_blocks: blocks })).rejects.toThrow('num_blocks must be a whole number')
  })
})

/**
 * Returns `addresses` without the address of the first validator. The first validator answers the RPC, so `/status`
 * contains its address.
 */
async function allButFirst(url: string, addresses: readonly string[]): Promise<string[]> {
  const { result } = (await (await fetch(`${url}/status`)).json()) as { readonly result: Answer }
  return addresses.filter((address) => address !== result.validator_info.address)
}

describe('edge: stop while the validators start again', () => {
  async function start() {
    const returns = createListeners()
    const errors: (LogFields | undefined)[] = []
    let made = 0
    let making: Promise<void> | undefined
    const applications = {
      ...localApplications(keyValueApp),
      make: async () => {
        made++
        await making
        return keyValueApp()
      },
      onReturn: returns.add,
    }
    const logger = {
      ...noopLogger,
      child: () => logger,
      error: (_: string, fields?: LogFields) => void errors.push(fields),
    }
    const devnet = await createDevnet({ app: applications, logger })
    onTestFinished(devnet.stop)
    const hold = (until: Promise<void>): void => {
      making = until
    }
    return { devnet, returns, errors, made: () => made, hold }
  }

  test('the validators start again, until the devnet stops', async () => {
    const { devnet, returns, made } = await start()
    returns.call()
    await expect.poll(made).toBe(2)
    await devnet.stop()
    expect([returns.size(), made()]).toEqual([0, 2])
    returns.call()
    await new Promise(setImmediate)
    expect(made()).toBe(2)
  })

  test('stop during the new start ends that start, and logs no error', async () => {
    const { devnet, returns, errors, made, hold } = await start()
    const { promise, resolve } = Promise.withResolvers<void>()
    hold(promise)
    returns.call()
    await expect.poll(made).toBe(2)
    await devnet.stop()
    resolve()
    await new Promise(setImmediate)
    expect([made(), errors]).toEqual([2, []])
    expect(() => devnet.height()).toThrow('the chain is stopped')
  })

  test('stop during the load of a dump ends the loaded chain', async () => {
    const { devnet, made, hold } = await start()
    const control = devnet.ports.devnet
    const dump = await control.dump()
    const { promise, resolve } = Promise.withResolvers<void>()
    hold(promise)
    const loading = expect(control.load(dump)).rejects.toMatchObject({ code: LIFECYCLE_ERRORS.stopping })
    await expect.poll(made).toBe(2)
    await devnet.stop()
    resolve()
    await loading
    expect(() => devnet.height()).toThrow('the chain is stopped')
  })
})
