export { type Address, formatAddress, parseAddress } from './address.ts'
export type * from './application/answers.ts'
export {
  type AnswerOf,
  type Application,
  checkApplication,
  completeAnswer,
  createDefensiveCopy,
  DEFAULT_APPLICATION,
  describeValue,
  isClass,
} from './application/index.ts'
export {
  type AbciClient,
  type AbciConnections,
  type AbciMethods,
  type ClientModules,
  CONNECTION_NAMES,
  type ConnectionName,
  type ConnectionOptions,
  type ConnectionsModules,
  createConnections,
  type RemoteOptions,
} from './client/index.ts'
export { ABCI_ERRORS, AbciError, type AbciErrorCode, type AbciErrorData } from './errors.ts'
export { METHOD_NAMES, METHODS, type MethodName, type RequestOf, type ResponseOf } from './messages/index.ts'
export { MAX_FRAME_BYTES, MAX_PENDING } from './options.ts'
export { type AbciServer, createAbciServer, type ServerModules, type ServerOptions } from './server/index.ts'
