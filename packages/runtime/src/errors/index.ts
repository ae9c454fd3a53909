export { CodedError, isCodedError } from './coded-error.ts'
export { fileErrorMessage, isPermissionDenied, PERMISSION_ADVICE } from './file-error.ts'
export { jsonErrorMessage } from './json-error.ts'
export { messageOf } from './message-of.ts'
