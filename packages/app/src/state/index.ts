export {
  createOverlay,
  type Key,
  type KeyRange,
  type Meter,
  type Overlay,
  type Pair,
  type ReadState,
  readTree,
  type State,
} from './state.ts'
export { createTable, integers, json, type Table, type TableRange, tableOf, type ValueCodec } from './table.ts'
