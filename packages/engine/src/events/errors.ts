import { CodedError } from '@org/runtime/errors'

/** The codes of {@link EventError}. */
export const EVENT_ERRORS = {
  alreadySubscribed: 'EVENTS_ALREADY_SUBSCRIBED',
  notSubscribed: 'EVENTS_NOT_SUBSCRIBED',
  stopped: 'EVENTS_STOPPED',
  /** The request is for events of blocks that were pruned or never stored. */
  pruned: 'EVENTS_PRUNED',
  /** The request is for events of a block whose results the node did not store. */
  discarded: 'EVENTS_DISCARDED',
  /** The query matches events of consensus rounds, which are not stored. */
  notResumable: 'EVENTS_NOT_RESUMABLE',
} as const

/** A code of {@link EventError}. */
export type EventErrorCode = (typeof EVENT_ERRORS)[keyof typeof EVENT_ERRORS]

/**
 * An error about a subscription that cannot be created, ended or resumed. If the reference has an error for the same
 * case, the message is the reference's.
 */
export class EventError extends CodedError<EventErrorCode> {}
