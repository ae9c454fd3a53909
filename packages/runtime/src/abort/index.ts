export { joinSignals } from './join-signals.ts'
export { unlessAborted } from './unless-aborted.ts'
export { type TimeLimit, withTimeLimit } from './with-time-limit.ts'
