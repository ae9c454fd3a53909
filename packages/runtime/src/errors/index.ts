export { CodedError, isCodedError } from './coded-error.ts'
export { messageOf } from './message-of.ts'
