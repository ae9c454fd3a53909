import { CodedError } from '@org/runtime/errors'

/** The codes of {@link WorldError}. */
export const WORLD_ERRORS = {
  /** An application did not answer for too long: virtual time stops until it answers. */
  noAnswer: 'SIM_NO_ANSWER',
  /** An option or a fault is impossible for the network. */
  badOption: 'SIM_BAD_OPTION',
  /** The state of a simulated part does not allow the step, such as the start of a node that runs. */
  badState: 'SIM_BAD_STATE',
  /** The application died, because a fault was planned for it. */
  appDied: 'SIM_APP_DIED',
} as const

/** A code of {@link WorldError}. */
export type WorldErrorCode = (typeof WORLD_ERRORS)[keyof typeof WORLD_ERRORS]

/** The error of a simulated network. Its code is one of {@link WORLD_ERRORS}. */
export class WorldError extends CodedError<WorldErrorCode> {}
