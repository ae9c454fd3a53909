export {
  type Applications,
  connectApplications,
  type RemoteApplicationsOptions,
} from './applications/index.ts'
export { createDevnet, type Devnet } from './create-devnet.ts'
export { MAX_DUMP_BYTES, readDump, writeDump } from './dump/index.ts'
export { DEVNET_ERRORS, DevnetError, type DevnetErrorCode } from './errors.ts'
export { forkOrigin, type StoppedHome } from './fork/index.ts'
export type { DevnetOptions } from './options.ts'
export type { DevnetOrigin } from './origin.ts'
export type { Replacement } from './replacement.ts'
