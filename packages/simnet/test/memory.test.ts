import type { Application } from '@org/abci'
import { countLiveObjects, type WatchedObjects, watchObjects } from '@org/test-kit'
import { describe, expect, test } from 'vitest'
import { createChain, createDevnet, createNetwork, makeScenario, runScenario, type SimNetwork } from '../src/index.ts'
import { createKeyValueApp } from './support/key-value-app.ts'

/** Adds a network and its parts to the objects that the garbage collector must free. */
function watchNetwork(network: SimNetwork, objects: WatchedObjects): void {
  const { scheduler, hub, monitor, trace } = network
  for (const [name, part] of Object.entries({ network, scheduler, hub, monitor, trace })) objects.add(name, part)
  for (const node of network.nodes) {
    const { name, disk } = node
    const parts = { node, disk, engine: node.engine(), p2p: node.p2p(), life: node.life() }
    for (const [part, object] of Object.entries(parts))
      if (object !== undefined) objects.add(`${part} of ${name}`, object)
  }
}

/** Returns a function that makes an application, and adds it to the objects that the garbage collector must free. */
function watchedApp(objects: WatchedObjects): () => Application {
  return () => {
    const app = createKeyValueApp()
    objects.add('application', app)
    return app
  }
}

const ENDINGS: readonly (readonly [title: string, end: (network: SimNetwork) => Promise<void>])[] = [
  ['that the caller no longer runs', async () => undefined],
  [
    'whose nodes were crashed',
    async ({ nodes }) => {
      for (const node of nodes) node.crash('power')
    },
  ],
  [
    'whose nodes were stopped',
    async ({ nodes, pass }) => {
      const stopping = Promise.all(nodes.map((node) => node.stop()))
      await pass(1000)
      await stopping
    },
  ],
]

describe('the memory of a network that has ended', () => {
  test.each(ENDINGS)('behavior: a network %s is collected', async (_, end) => {
    const objects = watchObjects()
    const run = async (): Promise<void> => {
      const network = createNetwork({ seed: 1 })
      network.start()
      expect(await network.reach(3, 60_000)).toBe(true)
      watchNetwork(network, objects)
      await end(network)
    }
    await run()
    expect(await objects.alive()).toEqual([])
  })

  test('behavior: a chain that was stopped is collected with its client and its application', async () => {
    const objects = watchObjects()
    const run = async (): Promise<void> => {
      const chain = await createChain({ app: watchedApp(objects), validators: 4 })
      objects.add('chain', chain)
      objects.add('client', chain.client)
      chain.subscribe("tm.event='NewBlock'", () => undefined)
      const before = await chain.snapshot()
      await chain.broadcast('a=1')
      await chain.client.status()
      await chain.revert(before)
      await chain.stop()
    }
    await run()
    expect(await objects.alive()).toEqual([])
  })

  test('behavior: a devnet that was stopped is collected with its applications', async () => {
    const objects = watchObjects()
    const run = async (): Promise<void> => {
      const devnet = await createDevnet({ app: watchedApp(objects), validators: 2 })
      objects.add('devnet', devnet)
      objects.add('ports', devnet.ports)
      await devnet.ports.devnet.mine(2)
      await devnet.reload()
      await devnet.stop()
    }
    await run()
    expect(await objects.alive()).toEqual([])
  })

  test('behavior: further runs of a scenario leave no further objects', async () => {
    const classes = [AbortSignal, Function, Uint8Array]
    const run = async (): Promise<void> => {
      for (const seed of [1, 2]) await runScenario(makeScenario(seed))
    }
    await run()
    const before = await countLiveObjects(classes)
    await run()
    expect(await countLiveObjects(classes)).toEqual(before)
  })

  test('edge: the check finds a network that a listener at a signal of the process keeps in memory', async () => {
    const objects = watchObjects()
    const process = new AbortController()
    const run = async (): Promise<void> => {
      const network = createNetwork({ seed: 1 })
      objects.add('network', network)
      process.signal.addEventListener('abort', () => network.heal(), { once: true })
    }
    await run()
    expect(await objects.alive()).toEqual(['network'])
    process.abort()
    expect(await objects.alive()).toEqual([])
  })
})
