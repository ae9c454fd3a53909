export {
  GRPC_SERVICE,
  type LaneName,
  METHOD_NAMES,
  METHODS,
  type Method,
  type MethodName,
  type RequestOf,
  type ResponseOf,
} from './methods.ts'
