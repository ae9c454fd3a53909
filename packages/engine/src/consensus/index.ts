export * from './driver/index.ts'
export * from './machine/index.ts'
export * from './wal/index.ts'
