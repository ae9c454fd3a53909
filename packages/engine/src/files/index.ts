export { NODE_FILES } from './node-files.ts'
export type { Files, OpenFile } from './port.ts'
export { type WriteOptions, writeFileAtomic } from './write-atomic.ts'
