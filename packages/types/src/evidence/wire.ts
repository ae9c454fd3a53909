import { LightBlock } from '../block/light.ts'
import {
  field,
  type Infer,
  int64,
  message,
  oneof,
  optional,
  repeated,
  safeInt64,
  time,
  unwrapped,
  when,
} from '../schema/index.ts'
import { Validator } from '../validators/wire.ts'
import { Vote } from '../vote/wire.ts'

/** tendermint.types.DuplicateVoteEvidence: two votes of one validator that exclude each other. */
export const DuplicateVoteEvidence = message('tendermint.types.DuplicateVoteEvidence', {
  voteA: optional(1, Vote),
  voteB: optional(2, Vote),
  totalVotingPower: field(3, int64, { json: 'TotalVotingPower' }),
  validatorPower: field(4, int64, { json: 'ValidatorPower' }),
  timestamp: field(5, time, { json: 'Timestamp' }),
})
export type DuplicateVoteEvidence = Infer<typeof DuplicateVoteEvidence>

/** tendermint.types.LightClientAttackEvidence: a signed header that conflicts with the chain. */
export const LightClientAttackEvidence = message(
  'tendermint.types.LightClientAttackEvidence',
  {
    conflictingBlock: optional(1, LightBlock),
    commonHeight: field(2, safeInt64),
    byzantineValidators: repeated(3, Validator),
    totalVotingPower: field(4, int64),
    timestamp: field(5, time),
  },
  { jsonNames: 'pascal' },
)
export type LightClientAttackEvidence = Infer<typeof LightClientAttackEvidence>

const sum = oneof({
  duplicateVoteEvidence: when(1, DuplicateVoteEvidence, 'tendermint/DuplicateVoteEvidence'),
  lightClientAttackEvidence: when(2, LightClientAttackEvidence, 'tendermint/LightClientAttackEvidence'),
})

/** tendermint.types.Evidence. JSON is the tagged case, without the wrapper. */
export const Evidence = unwrapped(message('tendermint.types.Evidence', { sum }), sum)
export type Evidence = Infer<typeof Evidence>

/** tendermint.types.EvidenceList */
export const EvidenceList = message('tendermint.types.EvidenceList', {
  evidence: repeated(1, Evidence),
})
export type EvidenceList = Infer<typeof EvidenceList>
