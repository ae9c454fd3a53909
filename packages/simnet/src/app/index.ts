export { type AppConnectionsModules, type AppFaults, createAppConnections } from './app-connections.ts'
export { type AppHome, createAppHome } from './app-home.ts'
export { createTallyApp, type TallyOptions } from './tally-app.ts'
export { type TallySnapshot, tallySnapshot } from './tally-snapshots.ts'
