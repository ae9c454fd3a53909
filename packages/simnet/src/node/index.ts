export { createSharedSignatures } from './signatures.ts'
export {
  createSimNode,
  type NodeStatus,
  type SimNode,
  type SimNodeModules,
  type SimNodeOptions,
  signStateOf,
} from './sim-node.ts'
