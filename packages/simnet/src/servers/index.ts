export { SERVER_LIES, type ServerLie } from './lies.ts'
export { createStateProviders, type JoinerOptions } from './state-providers.ts'
export { createSimStateServer } from './state-server.ts'
