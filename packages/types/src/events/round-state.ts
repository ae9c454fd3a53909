import { field, type Infer, int32, message, safeInt64, string } from '../schema/index.ts'

/**
 * tendermint.types.EventDataRoundState: the height, round and step of consensus. `step` is a name such as
 * `RoundStepPrevote`. The write-ahead log has this message too.
 */
export const EventDataRoundState = message('tendermint.types.EventDataRoundState', {
  height: field(1, safeInt64),
  round: field(2, int32),
  step: field(3, string),
})
export type EventDataRoundState = Infer<typeof EventDataRoundState>
