export type { Peer } from './peer.ts'
export type { Reactor, ReactorChannel } from './reactor.ts'
export { ACCEPT, ignore, MESSAGE_FAULTS, reject, rejectError, type Verdict } from './verdict.ts'
