import { describe, expect, test } from 'vitest'
import { createNetwork, type Fault, type NetworkOptions } from '../src/index.ts'

async function run(options: Partial<NetworkOptions> & Pick<NetworkOptions, 'seed'>, height: number) {
  const network = createNetwork(options)
  network.start()
  const reached = await network.reach(height, 600_000)
  return { network, reached, digest: network.trace.digest() }
}

describe('a network of full nodes on a virtual clock', () => {
  test('default: four validators and a full node agree', async () => {
    const { network, reached } = await run({ seed: 1, fullNodes: 1, txEveryMs: 100 }, 10)
    expect(network.monitor.violations()).toEqual([])
    expect(reached).toBe(true)
  })

  test.each([1, 2, 3])('behavior: seed %i gives the same trace each time, to the byte', async (seed) => {
    const options = { seed, fullNodes: 1, txEveryMs: 50, extensionsFrom: seed }
    const [one, two] = [await run(options, 6), await run(options, 6)]
    expect(one.network.trace.lines()).toBeGreaterThan(1000)
    expect(two.digest).toBe(one.digest)
    expect((await run({ ...options, seed: seed + 100 }, 6)).digest).not.toBe(one.digest)
  })

  test('behavior: faults may be given with the network, and end when it is healed', async () => {
    const network = createNetwork({
      seed: 4,
      txEveryMs: 100,
      faults: [
        { kind: 'crash', at: 1000, node: 1, crash: 'power', downMs: 500 },
        { kind: 'partition', at: 2000, group: [0, 1], oneWay: false, forMs: 60_000 },
      ],
    })
    network.start()
    await network.pass(5000)
    const before = network.height()
    await network.pass(3000)
    expect(network.height()).toBe(before)
    network.heal()
    expect(await network.reach(before + 3, 60_000)).toBe(true)
    expect(network.monitor.violations()).toEqual([])
  })

  test('behavior: a network that is started twice has load and faults only once', async () => {
    const digests = await Promise.all(
      [1, 2].map(async (starts) => {
        const network = createNetwork({ seed: 8, validators: 1, txEveryMs: 50 })
        for (let i = 0; i < starts; i++) network.start()
        await network.pass(1000)
        return network.trace.digest()
      }),
    )
    expect(digests[1]).toBe(digests[0])
  })

  test('behavior: conclude restarts crashed nodes, and reports missing heights', async () => {
    const dead = { kind: 'crash', at: 300, node: 0, crash: 'kill', downMs: 900_000 } as const
    const whole = createNetwork({ seed: 9, validators: 2, faults: [dead] })
    whole.start()
    await whole.pass(1000)
    expect(await whole.conclude()).toEqual([])
    const halved = createNetwork({ seed: 9, validators: 2 })
    void halved.nodes[0]?.start()
    expect(await halved.conclude({ withinMs: 5000 })).toMatchObject([{ rule: 'liveness' }])
  })

  test.each([
    { seed: 0.5 },
    { validators: 0 },
    { validators: -3 },
    { fullNodes: -1 },
    { powers: [0n] },
    { validators: 1, powers: [10n, 10n] },
    { exchange: { seeds: [4], seedMode: false, everyMs: 1000, maxOutbound: 10 } },
    { exchange: { seeds: [0], seedMode: false, everyMs: 0, maxOutbound: 10 } },
    { appRefuses: [{ node: 0, peer: 9 }] },
  ])('error: refuses a network with %o', (options) => {
    expect(() => createNetwork({ seed: 1, ...options })).toThrow(expect.objectContaining({ code: 'SIM_BAD_OPTION' }))
  })

  test.each([
    { kind: 'freeze', at: 100, node: 9, forMs: 10 },
    { kind: 'cut', at: 100, nodes: [0, -1] },
    { kind: 'partition', at: 100, group: [4], oneWay: false, forMs: 10 },
    { kind: 'freeze', at: Number.NaN, node: 0, forMs: 10 },
    { kind: 'earthquake', at: 100, node: 0 },
    { kind: 'freeze', at: 100, node: 0, forMs: Number.NaN },
    { kind: 'crash', at: 100, node: 0, crash: 'kill', downMs: -1 },
    { kind: 'flap', at: 100, node: 0, everyMs: 0, forMs: 10 },
  ])('error: refuses the fault %o', (fault) => {
    const network = createNetwork({ seed: 1, faults: [fault as Fault] })
    expect(() => network.start()).toThrow(expect.objectContaining({ code: 'SIM_BAD_OPTION' }))
  })
})
