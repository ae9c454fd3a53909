import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeTemporaryFolder } from '@org/golden'
import { describe, expect, test } from 'vitest'
import { buildNetwork } from '../build/build-network.ts'
import { plantedBug } from '../build/plant.ts'
import { PLANTED } from '../build/planted.ts'
import { SCENARIOS } from '../src/scenarios/index.ts'
import type { Scenario } from '../src/scenarios/scenario.ts'
import type { Happening } from '../src/session/happening.ts'
import { readRun, writeRun } from '../src/session/link.ts'
import { createSession } from '../src/session/session.ts'

type Create = typeof createSession

async function play({ setup, actions, lastsMs }: Scenario, create: Create): Promise<readonly Happening[]> {
  const session = create(setup, actions)
  await session.advance(lastsMs)
  return session.takeHappenings()
}

const failures = ({ claims }: Scenario, happenings: readonly Happening[]): readonly string[] =>
  claims.filter(({ holds }) => !holds(happenings)).map(({ text }) => text)

/** Bundles the nodes with a planted bug, and returns the function of the bundle that creates a session. */
async function plantedSession(name: string): Promise<Create> {
  const bug = PLANTED.find((each) => each.name === name)
  if (bug === undefined) throw new Error(`there is no bug ${name}`)
  await using folder = await makeTemporaryFolder('halley-playground-')
  const bundle = { entry: 'test/support/session-entry.ts', target: folder.path, name: 'session.mjs' }
  await buildNetwork({ ...bundle, plugins: [plantedBug(bug)] })
  const { createSession: create } = (await import(pathToFileURL(join(folder.path, bundle.name)).href)) as {
    createSession: Create
  }
  return create
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
    const happenings = await play(scenario, createSession)
    expect(failures(scenario, happenings)).toEqual([])
    expect(happenings.filter(({ what }) => what === 'violation' || what === 'halt')).toEqual([])
  })
})

describe('a planted bug breaks the rule that the scenario names, and the real nodes do not', () => {
  test.each(SCENARIOS.filter(({ bug }) => bug !== undefined))('$title', async (scenario) => {
    expect(scenario.claims.filter(({ holds }) => holds([]))).toEqual([])
    const create = await plantedSession(scenario.bug as string)
    expect(failures(scenario, await play(scenario, create))).toEqual([])
    const real = await play(scenario, createSession)
    expect(real.filter(({ what }) => what === 'violation')).toEqual([])
    expect(failures(scenario, real)).toContain(scenario.claims.at(-1)?.text)
  })
})
