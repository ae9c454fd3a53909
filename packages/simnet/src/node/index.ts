export { SIGN_STATE, WAL_FILE } from './open-life.ts'
export type { SimNodeOptions } from './options.ts'
export { createSharedSignatures, type SharedSignatures } from './signatures.ts'
export { createSimNode, type NodeStatus, type SimNode, signStateOf } from './sim-node.ts'
