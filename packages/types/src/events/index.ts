export {
  type EventData,
  type EventType,
  eventDataToJson,
  ROUND_STATE_EVENTS,
  type RoundStateEvent,
} from './event-data.ts'
export { eventDataFromJson } from './from-json.ts'
export { EventDataRoundState } from './round-state.ts'
