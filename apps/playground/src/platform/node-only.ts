import { unavailable } from './unavailable.ts'

/**
 * Replaces functions of Node's modules and of packages with native code: functions for files, folders, name servers,
 * threads, LevelDB, libsodium and gRPC. The engine imports these functions, but a simulated network never calls them.
 */
export const closeSync = unavailable('closeSync')
export const constants = {}
export const chmodSync = unavailable('chmodSync')
export const copyFile = unavailable('copyFile')
export const existsSync = unavailable('existsSync')
export const fdatasync = unavailable('fdatasync')
export const fstatSync = unavailable('fstatSync')
export const fsync = unavailable('fsync')
export const lookup = unavailable('lookup')
export const mkdirSync = unavailable('mkdirSync')
export const open = unavailable('open')
export const openSync = unavailable('openSync')
export const readdirSync = unavailable('readdirSync')
export const readFile = unavailable('readFile')
export const readFileSync = unavailable('readFileSync')
export const rename = unavailable('rename')
export const renameSync = unavailable('renameSync')
export const rm = unavailable('rm')
export const rmdirSync = unavailable('rmdirSync')
export const rmSync = unavailable('rmSync')
export const stat = unavailable('stat')
export const statSync = unavailable('statSync')
export const writevSync = unavailable('writevSync')
export const promisify = (run: unknown): unknown => run
/** Returns a `require` that always fails. Its callers catch the error, and use cryptography in JavaScript. */
export const createRequire = () => unavailable('require')
export const Resolver = unavailable('Resolver')
export const Worker = unavailable('Worker')
export const ClassicLevel = unavailable('ClassicLevel')
export const Client = unavailable('Client')
export const credentials = {}
