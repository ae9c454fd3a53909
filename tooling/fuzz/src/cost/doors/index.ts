import type { Door } from '../door.ts'
import { APPLICATION_DOORS } from './applications.ts'
import { CLIENT_DOORS } from './clients.ts'
import { PEER_DOORS } from './peers.ts'
import { RECORD_DOORS } from './records.ts'

/** All doors: the places where bytes from outside enter the node. */
export const DOORS: readonly Door[] = [...CLIENT_DOORS, ...PEER_DOORS, ...RECORD_DOORS, ...APPLICATION_DOORS]
