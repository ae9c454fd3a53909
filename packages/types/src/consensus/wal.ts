import { EventDataRoundState } from '../events/round-state.ts'
import {
  duration,
  field,
  type Infer,
  int32,
  message,
  oneof,
  optional,
  safeInt64,
  string,
  time,
  uint32,
  unwrapped,
  when,
} from '../schema/index.ts'
import { ConsensusMessage } from './wire.ts'

/** tendermint.consensus.MsgInfo: a message and its sender; `peerId` is empty for a message of the node itself. */
export const MsgInfo = message('tendermint.consensus.MsgInfo', {
  msg: field(1, ConsensusMessage),
  peerId: field(2, string, { json: 'peer_key' }),
})
export type MsgInfo = Infer<typeof MsgInfo>

/** tendermint.consensus.TimeoutInfo: a timeout that fired. */
export const TimeoutInfo = message('tendermint.consensus.TimeoutInfo', {
  duration: field(1, duration),
  height: field(2, safeInt64),
  round: field(3, int32),
  step: field(4, uint32),
})
export type TimeoutInfo = Infer<typeof TimeoutInfo>

/** tendermint.consensus.EndHeight: the end of a decided height. All records before it belong to decided heights. */
export const EndHeight = message('tendermint.consensus.EndHeight', { height: field(1, safeInt64) })
export type EndHeight = Infer<typeof EndHeight>

const sum = oneof({
  eventDataRoundState: when(1, EventDataRoundState, 'tendermint/event/RoundState'),
  msgInfo: when(2, MsgInfo, 'tendermint/wal/MsgInfo'),
  timeoutInfo: when(3, TimeoutInfo, 'tendermint/wal/TimeoutInfo'),
  endHeight: when(4, EndHeight, 'tendermint/wal/EndHeightMessage'),
})

/** tendermint.consensus.WALMessage. Its JSON is the tagged JSON of the message that it contains, without a wrapper. */
export const WalMessage = unwrapped(message('tendermint.consensus.WALMessage', { sum }), sum)
export type WalMessage = Infer<typeof WalMessage>

/** tendermint.consensus.TimedWALMessage: a record of the write-ahead log. */
export const TimedWalMessage = message('tendermint.consensus.TimedWALMessage', {
  time: field(1, time),
  msg: optional(2, WalMessage),
})
export type TimedWalMessage = Infer<typeof TimedWalMessage>
