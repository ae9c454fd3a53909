export { SERVER_LIES } from './lies.ts'
export { createStateProviders, type JoinerOptions, type StateProviders } from './state-providers.ts'
export { createSimStateServer, lightBlockAt } from './state-server.ts'
