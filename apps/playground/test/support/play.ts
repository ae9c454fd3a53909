import type { Scenario } from '../../src/scenarios/scenario.ts'
import type { Happening } from '../../src/session/happening.ts'
import { createSession } from '../../src/session/session.ts'

/** The part of a scenario that decides what happens. */
export type Played = Pick<Scenario, 'setup' | 'actions' | 'lastsMs'>

/** Runs a network, and returns all that happened. */
export async function play({ setup, actions, lastsMs }: Played): Promise<readonly Happening[]> {
  const session = createSession(setup, actions)
  await session.advance(lastsMs)
  return session.takeHappenings()
}
