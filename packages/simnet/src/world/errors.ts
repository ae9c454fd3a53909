import { CodedError } from '@org/runtime/errors'

export const WORLD_ERRORS = {
  /** An application did not answer for too long: virtual time stops until it answers. */
  noAnswer: 'SIM_NO_ANSWER',
  /** An option, or a fault, that is impossible for a network. */
  badOption: 'SIM_BAD_OPTION',
  /** A step that the state of a simulated part does not allow: for example to start a node that runs. */
  badState: 'SIM_BAD_STATE',
  /** A planned fault of an application. */
  appDied: 'SIM_APP_DIED',
} as const

export type WorldErrorCode = (typeof WORLD_ERRORS)[keyof typeof WORLD_ERRORS]

export class WorldError extends CodedError<WorldErrorCode> {}
