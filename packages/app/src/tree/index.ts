export { type Edit, find, insert, remove } from './edit.ts'
export {
  type Child,
  encodeNode,
  hashOf,
  heightOf,
  type Leaf,
  type Load,
  sizeOf,
  type TreeNode,
  uvarint,
} from './node.ts'
export { CommitmentProof, PROOF_TYPE, prove } from './prove.ts'
export { leavesOf, nodesOf, type Range } from './traverse.ts'
export { type NewNode, openVersions, type Version, type Versions } from './versions.ts'
