export { createStateStore } from '../packages/engine/src/store/index.ts'
