import type { JsonSchema } from '../call/params.ts'

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })
export const text: JsonSchema = { type: 'string' }
const flag: JsonSchema = { type: 'boolean' }
export const int: JsonSchema = { type: 'integer' }
export const int64: JsonSchema = { type: 'string', pattern: '^-?[0-9]+$' }
export const hex: JsonSchema = { type: 'string', pattern: '^([0-9A-F]{2})*$' }
export const base64: JsonSchema = { type: 'string', contentEncoding: 'base64' }
const maybeBase64: JsonSchema = { type: ['string', 'null'], contentEncoding: 'base64' }
export const time: JsonSchema = { type: 'string', format: 'date-time' }
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
export const maybe = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })

export function record(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  }
}

/** An object that leaves out members with a zero value. */
function sparse(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return record(properties, Object.keys(properties))
}

const tagged = (types: readonly string[], value: JsonSchema): JsonSchema =>
  record({ type: { type: 'string', enum: types }, value })

const eventShape = sparse({ type: text, attributes: listOf(ref('EventAttribute')) })

/** A block's header; the profile of the service document has another `version` in it. */
export const headerMembers: Readonly<Record<string, JsonSchema>> = {
  version: ref('ConsensusVersion'),
  chain_id: text,
  height: int64,
  time,
  last_block_id: ref('BlockId'),
  last_commit_hash: hex,
  data_hash: hex,
  validators_hash: hex,
  next_validators_hash: hex,
  consensus_hash: hex,
  app_hash: hex,
  last_results_hash: hex,
  evidence_hash: hex,
  proposer_address: hex,
}

/** The JSON forms that several operations share. */
export const COMPONENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  PartSetHeader: record({ total: int, hash: hex }),
  BlockId: record({ hash: hex, parts: ref('PartSetHeader') }),
  ConsensusVersion: sparse({ block: int64, app: int64 }),
  Header: record(headerMembers),
  CommitSig: record({ block_id_flag: int, validator_address: hex, timestamp: time, signature: maybeBase64 }),
  Commit: record({ height: int64, round: int, block_id: ref('BlockId'), signatures: listOf(ref('CommitSig')) }),
  SignedHeader: record({ header: maybe(ref('Header')), commit: maybe(ref('Commit')) }),
  Block: record({
    header: ref('Header'),
    data: record({ txs: listOf(base64) }),
    evidence: record({ evidence: listOf(ref('Evidence')) }),
    last_commit: maybe(ref('Commit')),
  }),
  BlockMeta: record({ block_id: ref('BlockId'), block_size: int64, header: ref('Header'), num_txs: int64 }),
  PublicKey: tagged(['tendermint/PubKeyEd25519', 'tendermint/PubKeySecp256k1'], base64),
  Validator: record({ address: hex, pub_key: ref('PublicKey'), voting_power: int64, proposer_priority: int64 }),
  Vote: record(
    {
      type: int,
      height: int64,
      round: int,
      block_id: ref('BlockId'),
      timestamp: time,
      validator_address: hex,
      validator_index: int,
      signature: maybeBase64,
      extension: maybeBase64,
      extension_signature: maybeBase64,
    },
    ['extension', 'extension_signature'],
  ),
  DuplicateVoteEvidence: record({
    vote_a: maybe(ref('Vote')),
    vote_b: maybe(ref('Vote')),
    TotalVotingPower: int64,
    ValidatorPower: int64,
    Timestamp: time,
  }),
  LightClientAttackEvidence: record({
    ConflictingBlock: {},
    CommonHeight: int64,
    ByzantineValidators: listOf(ref('Validator')),
    TotalVotingPower: int64,
    Timestamp: time,
  }),
  Evidence: {
    oneOf: [
      tagged(['tendermint/DuplicateVoteEvidence'], ref('DuplicateVoteEvidence')),
      tagged(['tendermint/LightClientAttackEvidence'], ref('LightClientAttackEvidence')),
    ],
  },
  EventAttribute: record({ key: text, value: text, index: flag }, ['index']),
  Event: eventShape,
  ExecTxResult: record({
    code: int,
    data: maybeBase64,
    log: text,
    info: text,
    gas_wanted: int64,
    gas_used: int64,
    events: listOf(ref('Event')),
    codespace: text,
  }),
  ResponseCheckTx: record({
    code: int,
    data: maybeBase64,
    log: text,
    info: text,
    gas_wanted: int64,
    gas_used: int64,
    events: listOf(ref('Event')),
    codespace: text,
  }),
  ResponseInfo: sparse({
    data: text,
    version: text,
    app_version: int64,
    last_block_height: int64,
    last_block_app_hash: base64,
  }),
  ResponseQuery: record({
    code: int,
    log: text,
    info: text,
    index: int64,
    key: maybeBase64,
    value: maybeBase64,
    proofOps: {},
    height: int64,
    codespace: text,
  }),
  ValidatorUpdate: record({ pub_key: { type: 'object' }, power: int64 }, ['power']),
  Proof: record({ total: int64, index: int64, leaf_hash: base64, aunts: { type: ['array', 'null'], items: base64 } }),
  TxProof: record({ root_hash: hex, data: base64, proof: ref('Proof') }),
  ConsensusParams: sparse({
    block: sparse({ max_bytes: int64, max_gas: int64 }),
    evidence: sparse({ max_age_num_blocks: int64, max_age_duration: int64, max_bytes: int64 }),
    validator: sparse({ pub_key_types: { type: ['array', 'null'], items: text } }),
    version: sparse({ app: int64 }),
    abci: sparse({ vote_extensions_enable_height: int64 }),
  }),
  GenesisDoc: record(
    {
      genesis_time: time,
      chain_id: text,
      initial_height: int64,
      consensus_params: ref('ConsensusParams'),
      validators: listOf(record({ address: hex, pub_key: ref('PublicKey'), power: int64, name: text })),
      app_hash: hex,
      app_state: {},
    },
    ['consensus_params', 'validators', 'app_state'],
  ),
  RpcError: record({ code: int, message: text, data: text }, ['data']),
}
