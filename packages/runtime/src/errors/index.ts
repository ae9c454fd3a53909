export { CodedError, isCodedError } from './coded-error.ts'
