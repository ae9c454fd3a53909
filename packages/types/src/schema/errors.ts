import { CodedError } from '@org/runtime/errors'

/** The codes of {@link SchemaError}. */
export const SCHEMA_ERRORS = {
  truncated: 'SCHEMA_TRUNCATED',
  varintOverflow: 'SCHEMA_VARINT_OVERFLOW',
  wireType: 'SCHEMA_WIRE_TYPE',
  illegalTag: 'SCHEMA_ILLEGAL_TAG',
  /** A message has more items than the reader allows. An item is an element of a list, or a nested message. */
  tooManyItems: 'SCHEMA_TOO_MANY_ITEMS',
  unsafeInteger: 'SCHEMA_UNSAFE_INTEGER',
  json: 'SCHEMA_JSON',
  value: 'SCHEMA_VALUE',
} as const

/** A code of {@link SchemaError}. */
export type SchemaErrorCode = (typeof SCHEMA_ERRORS)[keyof typeof SCHEMA_ERRORS]

/** An error about bytes or JSON that do not fit a schema. `data` names the position. */
export class SchemaError extends CodedError<SchemaErrorCode> {}
