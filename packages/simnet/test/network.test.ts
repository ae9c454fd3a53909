import { describe, expect, test } from 'vitest'
import { createNetwork, type NetworkOptions } from '../src/index.ts'

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

  test('behavior: faults may be given with the network, and are over when it is healed', async () => {
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
})
