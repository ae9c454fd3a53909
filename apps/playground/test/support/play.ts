import type { Scenario } from '../../src/scenarios/scenario.ts'
import type { NetworkEvent } from '../../src/session/network-event.ts'
import { createSession } from '../../src/session/session.ts'

/** The members of a scenario that determine its run: the network, the actions and the duration. */
export type Played = Pick<Scenario, 'setup' | 'actions' | 'lastsMs'>

/** Runs a network, and returns all that happened. */
export async function play({ setup, actions, lastsMs }: Played): Promise<readonly NetworkEvent[]> {
  const session = createSession(setup, actions)
  await session.advance(lastsMs)
  return session.takeNetworkEvents()
}
