import { CodedError } from '@org/runtime/errors'

/** The codes of {@link NodeError}. */
export const NODE_ERRORS = {
  genesis: 'NODE_GENESIS',
  stopped: 'NODE_STOPPED',
  signedRecently: 'NODE_SIGNED_RECENTLY',
  homeFormat: 'NODE_HOME_FORMAT',
} as const

/** The node cannot start with the content of its home. */
export class NodeError extends CodedError<(typeof NODE_ERRORS)[keyof typeof NODE_ERRORS]> {}
