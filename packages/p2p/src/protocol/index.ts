export {
  type AnyMessage,
  defineProtocol,
  type Protocol,
  type ProtocolChannel,
  type ProtocolDefinition,
  type ProtocolHandlers,
} from './define-protocol.ts'
export { kindLabels } from './kind-labels.ts'
