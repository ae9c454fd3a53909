export {
  bool,
  byteEnumeration,
  bytes,
  type Codec,
  EMPTY_BYTES,
  enumeration,
  hexBytes,
  int32,
  int64,
  safeInt64,
  safeSfixed64,
  safeUint64,
  sfixed64,
  string,
  uint32,
  uint64,
  WIRE,
} from './codec.ts'
export { compactCopy } from './compact-copy.ts'
export { Cursor } from './cursor.ts'
export { createDelimitedReader, type DelimitedReader } from './delimited-reader.ts'
export { SCHEMA_ERRORS, SchemaError, type SchemaErrorCode } from './errors.ts'
export {
  type Cases,
  type Field,
  type FieldOptions,
  type FieldType,
  field,
  NO_ITEMS,
  oneof,
  optional,
  repeated,
  when,
} from './field.ts'
export { isJsonObject, type Json, type JsonObject, jsonError, stringifyJson } from './json.ts'
export { type Infer, type JsonMember, type MessageSchema, message, type Shape, unwrapped } from './message.ts'
export { duration, time } from './time-codec.ts'
export { fieldSize, readUvarint, type Uvarint, uvarintSize, writeUvarint } from './uvarint.ts'
export { Writer } from './writer.ts'
