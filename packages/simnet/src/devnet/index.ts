export { createDevnet, type Devnet } from './create-devnet.ts'
export { DEVNET_ERRORS, DevnetError, type DevnetErrorCode } from './errors.ts'
export type { DevnetOptions } from './options.ts'
