/** `@org/engine/events`: the bus of new events, and the events of stored blocks. */
export {
  createEventHistory,
  createResumableMatchers,
  type EventHistory,
  type HistoryModules,
  type HistoryOptions,
  type PastEvent,
} from '../events/history/index.ts'
export {
  CANCEL_REASONS,
  type CancelReason,
  createEventBus,
  EVENT_ERRORS,
  type EventBus,
  EventError,
  type EventErrorCode,
  type EventItem,
  type NewBlock,
  type SubscribeRequest,
  type Subscription,
} from '../events/index.ts'
