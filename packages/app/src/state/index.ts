export {
  createOverlay,
  type Key,
  type KeyRange,
  MAX_KEY_BYTES,
  type Meter,
  type Overlay,
  type Pair,
  type ReadState,
  readTree,
  type State,
} from './state.ts'
export { createTable, integers, json, type Table, type TableRange, tableOf, type ValueCodec } from './table.ts'
