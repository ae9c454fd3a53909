export { plainBase64 } from './base64.ts'
export { type Binary, binaryOf, binaryOfText, bytesOfBinary, textOfBinary } from './binary.ts'
export { type Body, parseBody } from './body.ts'
export { fieldsOf, kindOf, mapOf, mismatch, rawListOf, textOf } from './decode.ts'
export { formatBytes } from './go-format.ts'
export { decodeHex } from './hex.ts'
export { ownText } from './own-text.ts'
export { quoteText } from './quote.ts'
export { batchOf, commonRequestOf, type RpcRequest, requestOf } from './request.ts'
export { JsonSyntaxError, scanFirst, scanWhole } from './scan.ts'
export {
  boolFromJson,
  bytesFromJson,
  hexFromJson,
  INT,
  INT64,
  type IntegerKind,
  integerFromJson,
  parseInteger,
  stringFromJson,
  UINT,
} from './values.ts'
export { elementsOf, elementsUpTo } from './visit.ts'
