import { NO_DATA, type Ports } from '../ports/index.ts'
import type { Relay } from './relay.ts'

/**
 * The ports of a relay, which stores no blocks. Only the events are used: no operation of a relay reads another port.
 */
export function relayPorts({ events }: Relay): Ports {
  return { ...NO_DATA, ...(events === undefined ? {} : { events }) }
}
