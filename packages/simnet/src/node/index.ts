export { createSharedSignatures } from './signatures.ts'
export { createSimNode, type NodeStatus, type SimNode, type SimNodeModules, type SimNodeOptions } from './sim-node.ts'
