export { MCONN_ERRORS, MconnError } from './errors.ts'
export { type FlowStatus, NO_FLOW } from './flow-monitor.ts'
export { createMultiplexer, type MconnModules, type MconnStatus, type Multiplexer } from './multiplexer.ts'
export { type ChannelDescriptor, DEFAULT_MCONN_OPTIONS, type MconnOptions } from './options.ts'
