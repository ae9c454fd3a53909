import { CodedError } from '@org/runtime/errors'

/** The codes of {@link PageError}. */
export const PAGE_ERRORS = {
  /** This machine has no program that opens pages, or the program failed. */
  noBrowser: 'PAGE_NO_BROWSER',
  /** The node does not serve the explorer page. */
  notServed: 'PAGE_NOT_SERVED',
} as const

export class PageError extends CodedError<(typeof PAGE_ERRORS)[keyof typeof PAGE_ERRORS]> {}
