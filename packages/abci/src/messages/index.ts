export {
  GRPC_SERVICE,
  type Lane,
  METHOD_NAMES,
  METHODS,
  type Method,
  type MethodName,
  type RequestOf,
  type ResponseOf,
} from './methods.ts'
