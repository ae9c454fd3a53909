export { createSharedSignatures } from './signatures.ts'
export {
  createSimNode,
  type NodeStatus,
  type SimNode,
  type SimNodeModules,
  type SimNodeOptions,
  signStateOf,
  WAL_FILE,
} from './sim-node.ts'
