import { NO_DATA, type Ports } from '../ports/index.ts'
import type { Relay } from './relay.ts'

/** The parts of a process that stores no blocks. No operation of a relay reads them. */
export function relayPorts({ events }: Relay): Ports {
  return { ...NO_DATA, ...(events === undefined ? {} : { events }) }
}
