export { openLevelStorage } from './level-storage.ts'
