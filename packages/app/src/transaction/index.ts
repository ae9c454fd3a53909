export {
  type Account,
  accountOf,
  createAccount,
  encodeTransaction,
  type SignedContent,
  type TransactionContent,
} from './account.ts'
export { fromJsonText, toJsonText } from './json.ts'
export { isTooDeep, TOO_DEEP } from './json-depth.ts'
export {
  checkSchema,
  type InputOf,
  type OutputOf,
  refusePromise,
  type SchemaIssue,
  type SchemaResult,
  type StandardSchema,
  validate,
} from './standard-schema.ts'
export { decodeTransaction, isSignatureValid, type Transaction, type TransactionForm } from './transaction.ts'
