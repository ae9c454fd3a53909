import { Evidence } from '@org/types/evidence'
import type { Param } from '../call/params.ts'
import { argumentError } from '../errors.ts'
import { type AminoReader, base64, hex, int64, integer, list, struct, tagged, text, time } from '../json/amino.ts'
import { type Binary, integerFromJson, UINT } from '../json/index.ts'

const int32 = (goType = 'int32'): AminoReader => integer({ goType, min: -(2n ** 31n), max: 2n ** 31n - 1n })
const uint32 = integer({ goType: 'uint32', min: 0n, max: 2n ** 32n - 1n })
const uint64: AminoReader = (raw) =>
  raw === 'null' ? null : integerFromJson(raw, { ...UINT, goType: 'uint64' }).toString()

/** Other types that have a name in the reference's JSON. */
const OTHER_TYPES =
  /^tendermint\/((Pub|Priv)Key(Ed25519|Secp256k1|Sr25519)|event\/(NewBlock(Header|Events)?|NewEvidence|Tx|RoundState|NewRound|CompleteProposal|Vote|ValidatorSetUpdates|ProposalString)|wal\/(MsgInfo|TimeoutInfo|EndHeightMessage)|NewRoundStepMessage|NewValidBlockMessage|Proposal(POL)?|BlockPart|Vote|HasVote|VoteSetMaj23|VoteSetBits)$/

const blockId = struct({ hash: hex, parts: struct({ total: uint32, hash: hex }) })

const vote = struct({
  type: int32('types.SignedMsgType'),
  height: int64,
  round: int32(),
  block_id: blockId,
  timestamp: time,
  validator_address: hex,
  validator_index: int32(),
  signature: base64,
  extension: base64,
  extension_signature: base64,
})

const duplicateVote = struct({
  vote_a: vote,
  vote_b: vote,
  TotalVotingPower: int64,
  ValidatorPower: int64,
  Timestamp: time,
})

const header = struct({
  version: struct({ block: uint64, app: uint64 }),
  chain_id: text,
  height: int64,
  time,
  last_block_id: blockId,
  last_commit_hash: hex,
  data_hash: hex,
  validators_hash: hex,
  next_validators_hash: hex,
  consensus_hash: hex,
  app_hash: hex,
  last_results_hash: hex,
  evidence_hash: hex,
  proposer_address: hex,
})

const commitSig = struct({
  block_id_flag: integer({ goType: 'types.BlockIDFlag', min: 0n, max: 255n }),
  validator_address: hex,
  timestamp: time,
  signature: base64,
})

const publicKey = tagged({
  known: { 'tendermint/PubKeyEd25519': base64, 'tendermint/PubKeySecp256k1': base64 },
  others: OTHER_TYPES,
})

const validator = struct({ address: hex, pub_key: publicKey, voting_power: int64, proposer_priority: int64 })

const lightClientAttack = struct({
  ConflictingBlock: struct({
    signed_header: struct({
      header,
      commit: struct({ height: int64, round: int32(), block_id: blockId, signatures: list(commitSig) }),
    }),
    validator_set: struct({ validators: list(validator), proposer: validator }),
  }),
  CommonHeight: int64,
  ByzantineValidators: list(validator),
  TotalVotingPower: int64,
  Timestamp: time,
})

const reader = tagged({
  known: {
    'tendermint/DuplicateVoteEvidence': duplicateVote,
    'tendermint/LightClientAttackEvidence': lightClientAttack,
  },
  others: OTHER_TYPES,
})

function fromJson(raw: Binary): Evidence | undefined {
  const json = reader(raw) as { readonly type: string; readonly value: object | null } | null
  return json === null ? undefined : Evidence.fromJson({ type: json.type, value: json.value ?? {} } as never)
}

export interface EvidenceParam extends Param<Evidence | undefined> {}

/** Evidence in its tagged JSON form. */
export const evidence: EvidenceParam = {
  zero: undefined,
  isZero: (value) => value === undefined,
  fromJson,
  fromUri: (text) => {
    if (/^0x/i.test(text)) throw argumentError("got a hex string arg, but expected 'interface'")
    return fromJson(text)
  },
  toJson: (value) => (value === undefined ? null : Evidence.toJson(value)),
  schema: { $ref: '#/components/schemas/Evidence' },
}
