export { EVENT_ERRORS, EventError, type EventErrorCode } from './errors.ts'
export { createEventBus, type EventBus, type NewBlock } from './event-bus.ts'
export {
  CANCEL_REASONS,
  type CancelReason,
  type EventItem,
  type SubscribeRequest,
  type Subscription,
} from './subscription.ts'
