export { createPex, PEX_CHANNEL, type Pex, type PexModules, type PexOptions } from './pex.ts'
