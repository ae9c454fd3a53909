import { createHttpTransport } from '@org/rpc/client'
import { createDevnetClient } from '@org/rpc/client/devnet'
import { createRpcServer } from '@org/rpc/server'
import { BlockIdFlag, completeGenesis, encodeGenesis, type GenesisDoc, MAX_TOTAL_VOTING_POWER } from '@org/types'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { addressOf, generateSecp256k1, publicKeyOf } from '@org/types/crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDevnet, DEVNET_ERRORS, type DevnetOptions, forkOrigin, readDump } from '../src/devnet/index.ts'
import { createKeyValueApp } from './support/key-value-app.ts'

async function start(options: Partial<DevnetOptions> = {}) {
  const devnet = await createDevnet({ app: createKeyValueApp, ...options })
  onTestFinished(devnet.stop)
  const { devnet: control, blocks, state, mempool, app } = devnet.ports
  const send = async (tx: string): Promise<void> => void (await mempool?.checkTx(utf8ToBytes(tx)))
  const value = async (key: string): Promise<string> => {
    const request = { path: '', data: utf8ToBytes(key), height: 0, prove: false }
    return new TextDecoder().decode((await app?.query(request))?.value)
  }
  const isSigned = (flag: number | undefined): boolean => flag !== undefined && flag !== BlockIdFlag.absent
  /** Returns whether each validator signed the last commit. The keys are the addresses of the validators. */
  function signers(): Readonly<Record<string, boolean>> {
    const height = devnet.height()
    const { validators } = state.loadValidators(height - 1)
    const signatures = blocks.loadBlock(height)?.lastCommit?.signatures ?? []
    return Object.fromEntries(
      validators.map(({ address }, i) => [bytesToHex(address), isSigned(signatures[i]?.blockIdFlag)]),
    )
  }
  const powers = (): Readonly<Record<string, bigint>> =>
    Object.fromEntries(
      state.loadValidators(devnet.height()).validators.map((one) => [bytesToHex(one.address), one.votingPower]),
    )
  return { devnet, control, send, value, signers, powers, blocks }
}

describe('a validator with a new key', () => {
  test.each([
    { validators: 1, power: 10n },
    { validators: 1, power: 1n },
    { validators: 1, power: 1000n },
    { validators: 4, power: 10n },
  ])('default: it gets its power and signs ($validators validators, power $power)', async ({ validators, power }) => {
    const { devnet, control, signers, powers, send, value } = await start({ validators })
    await control.mine(30)
    await send('a=1')
    await control.mine(3)
    const before = devnet.height()
    const { address, pubKey, height } = await control.addValidator(power)
    expect(bytesToHex(addressOf(pubKey))).toBe(address)
    expect([height, devnet.height()]).toEqual([before + 3, before + 3])
    expect(powers()[address]).toBe(power)
    await control.mine(3)
    expect(Object.keys(signers())).toContain(address)
    expect(Object.values(signers())).toEqual(Array.from({ length: validators + 1 }, () => true))
    await send('b=2')
    await control.mine(4)
    expect([await value('a'), await value('b')]).toEqual(['1', '2'])
    expect(control.info().validators.at(-1)).toEqual({ address, power, signs: true, runs: true, isApart: false })
  })

  test('default: before the first block, and several at the same time', async () => {
    const { control, powers, signers } = await start()
    const added = await Promise.all([control.addValidator(1n), control.addValidator(2n), control.addValidator(3n)])
    expect(new Set(added.map(({ address }) => address)).size).toBe(3)
    expect(powers()).toMatchObject(Object.fromEntries(added.map(({ address }, i) => [address, BigInt(i + 1)])))
    await control.mine(3)
    expect(Object.values(signers())).toEqual([true, true, true, true])
  })

  test('default: a transaction that waits stays in the mempool, and gets into a block that the new validator signs', async () => {
    const { control, send, value } = await start({ automine: false })
    await control.mine(1)
    await send('a=1')
    await control.addValidator(10n)
    expect(await value('a')).toBe('1')
  })

  test('default: with the power 0, the node follows the chain until a call, or the application, gives it a power', async () => {
    const updates = new Map<number, Uint8Array>()
    const { devnet, control, powers, signers } = await start({
      app: () => ({
        finalizeBlock: ({ txs, height }) => ({
          txResults: txs.map(() => ({ code: 0 })),
          validatorUpdates: [updates.get(Number(height))].flatMap((bytes) =>
            bytes === undefined ? [] : [{ pubKey: { type: 'ed25519', bytes }, power: 7n }],
          ),
        }),
      }),
    })
    const one = await control.addValidator(0n)
    const other = await control.addValidator(0n)
    expect(Object.keys(powers())).toHaveLength(1)
    updates.set(devnet.height() + 1, one.pubKey.bytes)
    await control.setPower(other.address, 5n)
    expect(powers()).toMatchObject({ [one.address]: 7n, [other.address]: 5n })
    await control.mine(2)
    expect(Object.values(signers())).toEqual([true, true, true])
  })

  test('default: it can be silenced, crashed, started again, removed and given a power again', async () => {
    const { control, powers, signers } = await start({ validators: 3 })
    await control.mine(1)
    const { address } = await control.addValidator(10n)
    control.setSigning(address, false)
    await control.mine(3)
    expect(signers()[address]).toBe(false)
    control.setSigning(address, true)
    control.crash(address)
    await control.mine(3)
    expect(signers()[address]).toBe(false)
    await control.restart(address)
    await control.mine(6)
    expect(signers()[address]).toBe(true)
    await control.setPower(address, 0n)
    expect(Object.keys(powers())).not.toContain(address)
    await control.setPower(address, 4n)
    await control.mine(3)
    expect([powers()[address], signers()[address]]).toEqual([4n, true])
    await control.doubleSign(address)
    await control.attackLightClient(address, 'equivocation')
  })

  test('default: on a chain with vote extensions, while another validator is down', async () => {
    const { control, signers } = await start({
      validators: 4,
      genesis: { consensusParams: { abci: { voteExtensionsEnableHeight: 1 } } },
      app: () => ({
        finalizeBlock: ({ txs }) => ({ txResults: txs.map(() => ({ code: 0 })) }),
        extendVote: ({ height }) => ({ voteExtension: utf8ToBytes(`extension ${height}`) }),
        verifyVoteExtension: () => ({ status: 1 }),
      }),
    })
    await control.mine(3)
    const fourth = control.info().validators[3]?.address ?? ''
    control.crash(fourth)
    const { address } = await control.addValidator(10n)
    await control.mine(4)
    expect(signers()).toMatchObject({ [fourth]: false, [address]: true })
    await control.restart(fourth)
    await control.mine(10)
    expect(Object.values(signers())).toEqual([true, true, true, true, true])
  })

  test('default: a partition and a delay concern it; it joins the side of the first validator', async () => {
    const { control, signers } = await start({ validators: 4 })
    await control.mine(1)
    const fourth = control.info().validators[3]?.address ?? ''
    control.partition([fourth])
    const { address } = await control.addValidator(10n)
    await control.mine(5)
    expect(signers()).toMatchObject({ [fourth]: false, [address]: true })
    control.heal()
    await control.mine(20)
    expect(Object.values(signers())).not.toContain(false)
    control.partition([address])
    await control.mine(3)
    expect(signers()).toMatchObject({ [fourth]: true, [address]: false })
    control.heal()
    expect(control.delay(2000, { from: address })).toHaveLength(4)
    await control.mine(6)
    expect(signers()[address]).toBe(false)
  })
})

describe('delays of messages, and a new validator', () => {
  const between = (from: string, to: string, ms: number) => ({ from, to, ms })

  test('default: delays for all senders or all receivers also apply to a new validator, in their order', async () => {
    const { control } = await start({ validators: 3 })
    const [a = '', b = '', c = ''] = control.info().validators.map(({ address }) => address)
    control.delay(10)
    control.delay(20, { from: b })
    control.delay(30, { to: c })
    control.delay(0, { to: a })
    control.delay(40, { from: a, to: b })
    const before = control.info().delays
    const { address: added } = await control.addValidator(10n)
    const wanted = [
      between(a, added, 10),
      between(b, added, 20),
      between(c, added, 10),
      between(added, b, 10),
      between(added, c, 30),
    ]
    const { delays } = control.info()
    expect(delays).toHaveLength(before.length + wanted.length)
    for (const delay of [...before, ...wanted]) expect(delays).toContainEqual(expect.objectContaining(delay))
  })

  test('default: the delay of one sender also applies to a new validator, but a delay that has ended does not', async () => {
    const { control, signers } = await start({ validators: 4 })
    const [, second = ''] = control.info().validators.map(({ address }) => address)
    control.delay(2000, { from: second })
    const { address } = await control.addValidator(10n)
    await control.mine(3)
    expect(signers()).toMatchObject({ [second]: false, [address]: true })
    expect(control.info().delays).toContainEqual(expect.objectContaining(between(second, address, 2000)))
    expect(control.delay(0)).toEqual([])
    expect(control.info().delays).toEqual([])
    await control.addValidator(10n)
    expect(control.info().delays).toEqual([])
  })

  test('default: dev_reset ends delays for validators that are added later too', async () => {
    const { control } = await start({ validators: 2 })
    control.delay(10)
    await control.reset()
    await control.addValidator(10n)
    expect(control.info().delays).toEqual([])
  })

  test('error: a validator that could not start has no delays', async () => {
    let made = 0
    const app: DevnetOptions['app'] = () => {
      const own = ++made > 2 ? 1 : 0
      return { finalizeBlock: ({ txs }) => ({ txResults: txs.map(() => ({ code: 0 })), appHash: `hash ${own}` }) }
    }
    const { control } = await start({ app, validators: 2 })
    await control.mine(1)
    control.delay(10)
    const before = control.info().delays
    await expect(control.addValidator(10n)).rejects.toThrow('n2 cannot continue')
    expect(control.info().delays).toEqual(before)
    expect(await control.mine(2)).toBe(3)
  })
})

describe('a new validator, and moments of the chain', () => {
  test('default: dev_revert and dev_reset remove it; a later snapshot brings it back with the same key', async () => {
    const { devnet, control, blocks, powers, signers, send, value } = await start()
    await send('a=1')
    await control.mine(1)
    const alone = await control.snapshot()
    const { address } = await control.addValidator(10n)
    const two = await control.snapshot()
    const { address: third } = await control.addValidator(10n)
    control.setSigning(third, false)
    expect(await control.revert(two)).toBe(4)
    expect(control.info().validators.map((one) => one.power)).toEqual([10n, 10n])
    await control.mine(3)
    expect(Object.values(signers())).toEqual([true, true])
    expect(await control.revert(alone)).toBe(1)
    expect(control.info().validators).toHaveLength(1)
    await control.mine(5)
    expect(Object.keys(powers())).toHaveLength(1)
    await control.revert(two)
    await control.mine(3)
    expect([powers()[address], signers()[address], await value('a')]).toEqual([10n, true, '1'])
    // The added validator has the same name and key as the validator that the revert removed. It signs, although the
    // removed validator was set not to sign.
    expect((await control.addValidator(9n)).address).toBe(third)
    await control.mine(3)
    expect(signers()[third]).toBe(true)
    expect(await control.reset()).toBe(0)
    expect(control.info().validators).toHaveLength(1)
    await control.mine(100)
    // With one validator, the time between two blocks is one millisecond. With several validators it is 200
    // milliseconds.
    const timeOf = (height: number): bigint => blocks.loadBlockMeta(height)?.header.time ?? 0n
    expect([devnet.height(), timeOf(100) - timeOf(10) < 1_000_000_000n]).toEqual([100, true])
    const { address: again } = await control.addValidator(3n)
    await control.mine(3)
    expect([again, signers()[again]]).toEqual([address, true])
  })

  test('default: dev_load continues the chain with it in another devnet, where more can be added', async () => {
    const one = await start({ genesis: { chainId: 'grown' } })
    await one.send('a=1')
    await one.control.mine(1)
    const { address } = await one.control.addValidator(10n)
    const dump = await one.control.dump()
    const other = await start()
    await other.control.load(dump)
    expect([other.devnet.chainId(), await other.value('a')]).toEqual(['grown', '1'])
    const { address: third } = await other.control.addValidator(10n)
    await other.control.mine(3)
    expect(other.signers()).toMatchObject({ [address]: true, [third]: true })
    expect(Object.keys(other.signers())).toHaveLength(3)
    await other.control.reset()
    await other.control.mine(3)
    expect(other.powers()).toMatchObject({ [address]: 10n })
  })

  test('default: it follows a copy of a chain whose validators have other keys', async () => {
    const one = await start({ genesis: { chainId: 'copied' } })
    await one.send('a=1')
    await one.control.mine(5)
    const { nodes = [], genesis } = await readDump(await one.control.dump())
    const genesisText = encodeGenesis(genesis)
    const origin = await forkOrigin({ databases: nodes[0]?.stores ?? new Map(), genesisText }, 1)
    const { control, value, signers } = await start({ origin })
    const { address } = await control.addValidator(10n)
    await control.mine(4)
    expect([signers()[address], await value('a')]).toEqual([true, '1'])
  })
})

describe('a validator that cannot be added', () => {
  test('error: the chain continues as before', async () => {
    const { control, powers } = await start({ validators: 2 })
    await control.mine(1)
    const before = control.info()
    for (const power of [-1n, MAX_TOTAL_VOTING_POWER - 19n, MAX_TOTAL_VOTING_POWER])
      await expect(control.addValidator(power)).rejects.toMatchObject({ code: DEVNET_ERRORS.badPower })
    const [, second] = before.validators
    control.setSigning(second?.address ?? '', false)
    await expect(control.addValidator(10n)).rejects.toMatchObject({ code: DEVNET_ERRORS.noMajority })
    await expect(control.setPower(second?.address ?? '', 5n)).rejects.toMatchObject({ code: DEVNET_ERRORS.noMajority })
    control.setSigning(second?.address ?? '', true)
    expect(await control.mine(4)).toBe(5)
    expect([Object.values(powers()), control.info().validators]).toEqual([[10n, 10n], before.validators])
    const { address } = await control.addValidator(MAX_TOTAL_VOTING_POWER - 20n)
    expect(powers()[address]).toBe(MAX_TOTAL_VOTING_POWER - 20n)
  })

  test('error: two powers that together are too large for one block', async () => {
    const { control, powers } = await start()
    const half = MAX_TOTAL_VOTING_POWER / 2n + 1n
    const results = await Promise.allSettled([control.addValidator(half), control.addValidator(half)])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(results[1]).toMatchObject({ reason: { code: DEVNET_ERRORS.badPower } })
    expect(Object.values(powers())).toHaveLength(2)
    expect(await control.mine(1)).toBe(4)
  })

  test('error: a power that is too large beside a validator whose removal waits for the same block', async () => {
    const { control, powers } = await start({ validators: 2 })
    await control.mine(1)
    const second = control.info().validators[1]?.address ?? ''
    const results = await Promise.allSettled([
      control.setPower(second, 0n),
      control.addValidator(MAX_TOTAL_VOTING_POWER - 10n),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(results[1]).toMatchObject({ reason: { code: DEVNET_ERRORS.badPower } })
    expect(Object.values(powers())).toEqual([10n])
    expect(await control.mine(1)).toBe(5)
  })

  test('error: the chain allows no keys of the type ed25519', async () => {
    const key = generateSecp256k1(new Uint8Array(32).fill(7))
    const { genesis } = await readDump(await (await start()).control.dump())
    const consensusParams = { ...genesis.consensusParams, validator: { pubKeyTypes: ['secp256k1'] } }
    const validators = [{ address: new Uint8Array(0), pubKey: publicKeyOf(key), power: 10n, name: '' }]
    const own = completeGenesis({ ...genesis, consensusParams, validators } as GenesisDoc)
    const { control } = await start({ origin: { genesis: own, keys: [key] } })
    await expect(control.addValidator(10n)).rejects.toMatchObject({ code: DEVNET_ERRORS.keyType })
    expect(await control.mine(2)).toBe(2)
  })

  test('error: the devnet has the maximum number of validators', async () => {
    const { control } = await start({ validators: 100 })
    await expect(control.addValidator(1n)).rejects.toMatchObject({ code: DEVNET_ERRORS.tooManyValidators })
  })

  test('error: an application that begins again cannot execute blocks that are pruned', async () => {
    const { control, blocks } = await start({
      app: () => {
        let height = 0
        return {
          finalizeBlock: (request) => {
            height = Number(request.height)
            return { txResults: request.txs.map(() => ({ code: 0 })) }
          },
          commit: () => ({ retainHeight: Math.max(0, height - 5) }),
        }
      },
    })
    await control.mine(20)
    expect(blocks.base()).toBeGreaterThan(1)
    const before = control.info().validators
    await expect(control.addValidator(10n)).rejects.toThrow('n1 cannot continue')
    expect([control.info().validators, await control.mine(1)]).toEqual([before, 21])
  })

  test('error: the application executes the old blocks differently', async () => {
    let made = 0
    const app: DevnetOptions['app'] = () => {
      const own = ++made
      return { finalizeBlock: ({ txs }) => ({ txResults: txs.map(() => ({ code: own })), appHash: `hash ${own}` }) }
    }
    const { control } = await start({ app })
    await control.mine(3)
    await expect(control.addValidator(10n)).rejects.toThrow('n1 cannot continue')
    expect(control.info().validators).toHaveLength(1)
    expect(await control.mine(2)).toBe(5)
  })
})

test('default: dev_validators adds one by RPC, and the typed client too', async () => {
  const { devnet, powers } = await start()
  const server = createRpcServer({ ports: devnet.ports, options: { laddr: 'tcp://127.0.0.1:0', cacheBytes: 0 } })
  const listener = await server.listen()
  onTestFinished(() => listener.stop())
  const url = (listener.addresses[0] as string).replace('tcp', 'http')
  const client = createDevnetClient(createHttpTransport(url))
  const { address, pubKey, height } = await client.addValidator(7)
  expect([height, powers()[address], bytesToHex(addressOf(pubKey))]).toEqual([3, 7n, address])
  const { result } = (await (await fetch(`${url}/dev_validators?validator=new&power=5`)).json()) as {
    readonly result: { readonly height: string; readonly address: string; readonly pub_key: object }
  }
  expect(result).toEqual({
    height: '6',
    address: expect.stringMatching(/^[0-9A-F]{40}$/),
    pub_key: { type: 'tendermint/PubKeyEd25519', value: expect.stringMatching(/^[\w+/]{43}=$/) },
  })
  expect(await client.setPower(result.address, 6)).toBe(9)
  expect((await client.info()).validators.map(({ power }) => power)).toEqual([10n, 7n, 6n])
  await expect(client.addValidator(-1)).rejects.toThrow('[DEVNET_BAD_POWER]')
})
