import { CodedError } from '@org/runtime/errors'

export const EVENT_ERRORS = {
  alreadySubscribed: 'EVENTS_ALREADY_SUBSCRIBED',
  notSubscribed: 'EVENTS_NOT_SUBSCRIBED',
  stopped: 'EVENTS_STOPPED',
} as const

export type EventErrorCode = (typeof EVENT_ERRORS)[keyof typeof EVENT_ERRORS]

/** A subscription that cannot be made or ended. The messages are the reference's. */
export class EventError extends CodedError<EventErrorCode> {}
