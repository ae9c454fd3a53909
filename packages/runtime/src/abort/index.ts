export { type JoinedSignal, joinSignals } from './join-signals.ts'
export { createSharedCalls, type SharedCall } from './shared-calls.ts'
export { unlessAborted } from './unless-aborted.ts'
export { type TimeLimit, withTimeLimit } from './with-time-limit.ts'
