export type { AbciServer, ServerModules, ServerOptions } from './options.ts'
export { createAbciServer } from './server.ts'
