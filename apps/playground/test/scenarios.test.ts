import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { makeTemporaryFolder, type TemporaryFolder } from '@org/golden'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildNetwork } from '../build/build-network.ts'
import { SCENARIOS } from '../src/scenarios/index.ts'
import type { Scenario } from '../src/scenarios/scenario.ts'
import type { NetworkEvent } from '../src/session/network-event.ts'
import { readRun, writeRun } from '../src/session/run-address.ts'
import { type Played, play } from './support/play.ts'

const failures = ({ claims }: Scenario, networkEvents: readonly NetworkEvent[]): readonly string[] =>
  claims.filter(({ holds }) => !holds(networkEvents)).map(({ text }) => text)

type Play = (scenario: Scenario) => Promise<readonly NetworkEvent[]>

/**
 * Makes the same bundle of the nodes as the page has. Returns a function that plays a scenario in a worker thread, as
 * the page does. If `bug` is given, the address of the bundle ends with `?bug=` and this name.
 */
async function bundlePlay(folder: string): Promise<(bug?: string) => Play> {
  await buildNetwork({ entry: 'test/support/play-entry.ts', target: folder, name: 'play.mjs' })
  return (bug) =>
    async ({ setup, actions, lastsMs }) => {
      const address = pathToFileURL(join(folder, 'play.mjs'))
      if (bug !== undefined) address.searchParams.set('bug', bug)
      // A worker of Node.js removes everything after `?` from the address of its program. An import keeps this part of
      // an address. So the program of this worker only imports the bundle.
      const code = `import(${JSON.stringify(address.href)})`
      const worker = new Worker(code, { eval: true, workerData: { setup, actions, lastsMs } satisfies Played })
      const [networkEvents] = (await once(worker, 'message')) as [readonly NetworkEvent[]]
      return networkEvents
    }
}

test('there are twelve scenarios, each with one right answer and with an address of its own', () => {
  expect(SCENARIOS).toHaveLength(12)
  expect(new Set(SCENARIOS.map(({ id }) => id)).size).toBe(12)
  for (const { choices, setup, actions, bug } of SCENARIOS) {
    expect(choices.filter(({ isRight }) => isRight)).toHaveLength(1)
    const run = { setup, actions, until: 0, bug }
    expect(readRun(writeRun(run))).toEqual(run)
  }
})

describe('each claim of a scenario comes true, and no rule is broken', () => {
  test.each(SCENARIOS.filter(({ bug }) => bug === undefined))('$title', async (scenario) => {
    expect(scenario.claims.filter(({ holds }) => holds([]))).toEqual([])
    const networkEvents = await play(scenario)
    expect(failures(scenario, networkEvents)).toEqual([])
    expect(networkEvents.filter(({ what }) => what === 'violation' || what === 'halt')).toEqual([])
  })
})

describe('a planted bug breaks the rule that the scenario names, and the real nodes do not', () => {
  let folder: TemporaryFolder
  let playWith: (bug?: string) => Play
  beforeAll(async () => {
    folder = await makeTemporaryFolder('halley-playground-')
    playWith = await bundlePlay(folder.path)
  })
  afterAll(() => folder?.[Symbol.asyncDispose]())

  test.each(SCENARIOS.filter(({ bug }) => bug !== undefined))('$title', async (scenario) => {
    expect(scenario.claims.filter(({ holds }) => holds([]))).toEqual([])
    expect(failures(scenario, await playWith(scenario.bug)(scenario))).toEqual([])
    const real = await playWith()(scenario)
    expect(real).toEqual(await play(scenario))
    expect(real.filter(({ what }) => what === 'violation')).toEqual([])
    expect(failures(scenario, real)).toContain(scenario.claims.at(-1)?.text)
  })
})
