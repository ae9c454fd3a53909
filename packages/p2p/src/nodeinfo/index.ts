export { MisbehaviourError, REJECTIONS, RejectedError } from './errors.ts'
export { exchangeNodeInfo } from './exchange.ts'
export { incompatibility, type NodeInfo, nodeInfoFault } from './node-info.ts'
