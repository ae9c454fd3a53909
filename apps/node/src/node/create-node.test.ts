import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Application } from '@org/abci'
import { createSystemClock, createSystemRandom, LIFECYCLE_ERRORS, noopLogger } from '@org/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { initHome } from '../home/init-home.ts'
import type { HomeLock } from '../home/lock/index.ts'
import { type OpenedHome, openHome } from '../home/open-home.ts'
import { createNode, type Node } from './create-node.ts'

const clock = createSystemClock()
const random = createSystemRandom()

async function newHome(): Promise<OpenedHome> {
  const folder = mkdtempSync(join(tmpdir(), 'halley-node-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const flags = new Map([
    ['rpc.laddr', 'tcp://127.0.0.1:0'],
    ['p2p.laddr', 'tcp://127.0.0.1:0'],
  ])
  const home = openHome({ home: folder, flags, env: {}, interactive: false, clock }, { create: true })
  await initHome(home.paths, { logger: noopLogger, random, now: clock.now(), appState: undefined })
  return { ...home, logger: noopLogger }
}

function nodeOf(home: OpenedHome, app: Application, locking?: Promise<HomeLock>): Node {
  return createNode(home, {
    ...{ clock, random, interactive: false, locking },
    heapGrowth: { onTransaction: () => undefined, onTransfer: () => undefined, onReplay: () => undefined },
    application: { connection: { kind: 'local', app }, close: () => Promise.resolve() },
  })
}

/** Starts another node in this home. It can open the databases only if the first node has closed them. */
async function expectNextStart(home: OpenedHome): Promise<void> {
  const next = nodeOf(home, {})
  await next.start(new AbortController().signal)
  await expect.poll(next.height, { timeout: 5000 }).toBeGreaterThan(0)
  await next.stop()
}

test('edge: a stop during the start also stops the engine that the start opens after it', async () => {
  const home = await newHome()
  const node = nodeOf(home, {
    initChain: () => {
      void node.stop()
      return {}
    },
  })
  await expect(node.start(new AbortController().signal)).rejects.toMatchObject({ code: LIFECYCLE_ERRORS.stopping })
  await node.stop()
  await expectNextStart(home)
})

test('edge: a stop ends a start that waits for an application forever, and closes the databases', async () => {
  const home = await newHome()
  let calls = 0
  const stuck = nodeOf(home, {
    initChain: () => {
      calls++
      return new Promise(() => undefined)
    },
  })
  const starting = expect(stuck.start(new AbortController().signal)).rejects.toThrow()
  await expect.poll(() => calls).toBe(1)
  await stuck.stop()
  await starting
  await expectNextStart(home)
})

test('edge: a stop does not wait for long for a start that never ends', async () => {
  const node = nodeOf(await newHome(), {}, new Promise(() => undefined))
  void node.start(new AbortController().signal)
  await node.stop()
  expect(node.rpcUrls()).toEqual([])
})
