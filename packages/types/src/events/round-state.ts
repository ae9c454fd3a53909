import { field, type Infer, int32, message, safeInt64, string } from '../schema/index.ts'

/** tendermint.types.EventDataRoundState; `step` is a name such as `RoundStepPrevote`. Also in the write-ahead log. */
export const EventDataRoundState = message('tendermint.types.EventDataRoundState', {
  height: field(1, safeInt64),
  round: field(2, int32),
  step: field(3, string),
})
export type EventDataRoundState = Infer<typeof EventDataRoundState>
