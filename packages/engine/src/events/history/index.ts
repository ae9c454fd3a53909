export { createEventHistory, type EventHistory, type HistoryModules, type HistoryOptions } from './history.ts'
export { createResumableMatchers, type PastEvent, resumableMatcher } from './past-event.ts'
