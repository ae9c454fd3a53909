import { CodedError } from '@org/runtime/errors'

export const EVENT_ERRORS = {
  alreadySubscribed: 'EVENTS_ALREADY_SUBSCRIBED',
  notSubscribed: 'EVENTS_NOT_SUBSCRIBED',
  stopped: 'EVENTS_STOPPED',
  /** Events of blocks that are not stored any more, or never were. */
  pruned: 'EVENTS_PRUNED',
  /** Events of a block whose results the node did not keep. */
  discarded: 'EVENTS_DISCARDED',
  /** A query that events of the rounds fit, which are not stored. */
  notResumable: 'EVENTS_NOT_RESUMABLE',
} as const

export type EventErrorCode = (typeof EVENT_ERRORS)[keyof typeof EVENT_ERRORS]

/** A subscription that cannot be made, ended or resumed. The messages are the reference's where it has one. */
export class EventError extends CodedError<EventErrorCode> {}
