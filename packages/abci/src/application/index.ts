export type { AnswerOf, Application } from './application.ts'
export { DEFAULT_APPLICATION } from './defaults.ts'
export { type ApplicationHost, createApplicationHost } from './host.ts'
export { type CallLane, createCallLane, isPromise } from './lane.ts'
