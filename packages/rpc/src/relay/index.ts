export { type Relay, relayedRoutes } from './relay.ts'
export { relayPorts } from './relay-ports.ts'
