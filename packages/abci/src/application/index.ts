export { completeAnswer, describe as describeValue } from './answer/index.ts'

export type { AnswerOf, Application } from './application.ts'
export { checkApplication, isClass } from './check-application.ts'
export { DEFAULT_APPLICATION } from './defaults.ts'
export { createDefensiveCopy } from './defensive-copy.ts'
export { type ApplicationHost, createApplicationHost } from './host.ts'
export { isPromise } from './lane.ts'
