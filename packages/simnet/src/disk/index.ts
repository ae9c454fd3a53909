export {
  type CrashKind,
  createDisk,
  type Disk,
  type DiskOp,
  type DiskTiming,
  FAST_DISK,
  MAX_CRASH_OUTCOMES,
} from './disk.ts'
export { createSimFiles, type SavedFiles, type SimFiles } from './sim-files.ts'
export { createSimStore, type SimStore } from './sim-store.ts'
