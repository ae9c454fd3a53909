import { LightBlock } from '../light-block/wire.ts'
import {
  field,
  type Infer,
  int64,
  type MessageSchema,
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

const duplicateVoteEvidenceSchema = message('tendermint.types.DuplicateVoteEvidence', {
  voteA: optional(1, Vote),
  voteB: optional(2, Vote),
  totalVotingPower: field(3, int64, { json: 'TotalVotingPower' }),
  validatorPower: field(4, int64, { json: 'ValidatorPower' }),
  timestamp: field(5, time, { json: 'Timestamp' }),
})
/** tendermint.types.DuplicateVoteEvidence: two conflicting votes of one validator. */
export interface DuplicateVoteEvidence extends Infer<typeof duplicateVoteEvidenceSchema> {}
export const DuplicateVoteEvidence: MessageSchema<DuplicateVoteEvidence> = duplicateVoteEvidenceSchema

const lightClientAttackEvidenceSchema = message(
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
/** tendermint.types.LightClientAttackEvidence: a signed header that conflicts with the chain. */
export interface LightClientAttackEvidence extends Infer<typeof lightClientAttackEvidenceSchema> {}
export const LightClientAttackEvidence: MessageSchema<LightClientAttackEvidence> = lightClientAttackEvidenceSchema

const sum = oneof({
  duplicateVoteEvidence: when(1, DuplicateVoteEvidence, 'tendermint/DuplicateVoteEvidence'),
  lightClientAttackEvidence: when(2, LightClientAttackEvidence, 'tendermint/LightClientAttackEvidence'),
})

/** tendermint.types.Evidence. Its JSON is the tagged JSON of the evidence that it contains, without a wrapper. */
export const Evidence = unwrapped(message('tendermint.types.Evidence', { sum }), sum)
export type Evidence = Infer<typeof Evidence>

const evidenceListSchema = message('tendermint.types.EvidenceList', {
  evidence: repeated(1, Evidence),
})
/** tendermint.types.EvidenceList: the evidence in a block. */
export interface EvidenceList extends Infer<typeof evidenceListSchema> {}
export const EvidenceList: MessageSchema<EvidenceList> = evidenceListSchema
