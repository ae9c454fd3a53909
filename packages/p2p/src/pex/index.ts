export { PEX_CHANNEL } from './limits.ts'
export type { PexOptions } from './options.ts'
export { createPex, type Pex, type PexModules } from './pex.ts'
