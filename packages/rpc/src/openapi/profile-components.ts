import { base64, hex, int, int64, listOf, maybe, record, ref } from '../call/json-schema.ts'
import type { JsonSchema } from '../call/params.ts'
import { COMPONENT_SCHEMAS, membersOf } from './components.ts'

const completeVersion = record({ block: int64, app: int64 })
const power: JsonSchema = { type: 'integer', format: 'int64' }

const completeHeader = { ...membersOf('Header'), version: completeVersion }

const validatorMembers = { pub_key: maybe(ref('PublicKey')), voting_power: power, address: hex }

type Members = Readonly<Record<string, JsonSchema>>

const without = (members: Members, ...left: readonly string[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !left.includes(name)))

/** The JSON schemas of the types that the service document defines, as the profile `openapi` writes them. */
export const PROFILE_COMPONENTS: Readonly<Record<string, JsonSchema>> = {
  BlockHeader: record(completeHeader),
  SignatureEntry: record({
    ...without(membersOf('Vote'), 'extension', 'extension_signature'),
    type: { type: 'integer', const: 2 },
    signature: base64,
  }),
  EvidenceEntry: record({
    type: { type: 'string', enum: ['tendermint/DuplicateVoteEvidence', 'tendermint/LightClientAttackEvidence'] },
    height: int,
    time: int,
    total_voting_power: power,
    validator: maybe(ref('EvidenceValidator')),
  }),
  EvidenceValidator: record(validatorMembers),
  BlockContent: record({
    header: ref('BlockHeader'),
    data: listOf(base64),
    evidence: listOf(ref('EvidenceEntry')),
    last_commit: record({
      height: int,
      round: int,
      block_id: ref('BlockId'),
      signatures: listOf(ref('SignatureEntry')),
    }),
  }),
  BlockComplete: record({ block_id: ref('BlockId'), block: maybe(ref('BlockContent')) }),
}

const withHeader = record({ header: maybe(ref('BlockHeader')) })
/**
 * The members of a transaction's result in the profile `openapi`. A member without a value may be absent, and is never
 * `null`.
 */
const sparseResult = { ...without(membersOf('ResponseCheckTx'), 'events'), data: base64 }
const sparse = Object.keys(sparseResult)

/** Returns the schema of an object in which these members replace the members of the same names. */
function replaced(schema: JsonSchema, members: Members): JsonSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...members } }
}

type Reshape = (result: JsonSchema) => JsonSchema

const memberOf = (schema: JsonSchema, name: string): JsonSchema => (schema.properties as Members)[name] as JsonSchema

/** A transaction in whose proof the hashes are in hex. The list of hashes is present even if it is empty. */
const withHexProof: Reshape = (tx) =>
  replaced(tx, {
    proof: record({
      ...membersOf('TxProof'),
      proof: record({ ...membersOf('Proof'), leaf_hash: hex, aunts: listOf(hex) }),
    }),
  })

const RESHAPED: Readonly<Record<string, Reshape>> = {
  block: () => ref('BlockComplete'),
  block_by_hash: () => ref('BlockComplete'),
  block_search: () => record({ blocks: listOf(ref('BlockComplete')), total_count: int64 }),
  header: () => withHeader,
  header_by_hash: () => withHeader,
  blockchain: (result) =>
    replaced(result, {
      block_metas: listOf(maybe(record({ ...membersOf('BlockMeta'), header: ref('BlockHeader') }))),
    }),
  validators: (result) =>
    replaced(result, { validators: listOf(record({ ...validatorMembers, proposer_priority: int64 })) }),
  status: (result) =>
    replaced(result, { validator_info: replaced(memberOf(result, 'validator_info'), { voting_power: power }) }),
  broadcast_tx_commit: () =>
    record({
      check_tx: record({ ...sparseResult, events: listOf(ref('Event')) }, [...sparse, 'events']),
      deliver_tx: record({ ...sparseResult, tags: listOf(record({ key: base64, value: base64 })) }, sparse),
      hash: hex,
      height: int,
    }),
  abci_info: (result) =>
    replaced(result, {
      response: replaced(COMPONENT_SCHEMAS.ResponseInfo as JsonSchema, { last_block_app_hash: hex }),
    }),
  block_results: (result) => replaced(result, { app_hash: hex }),
  broadcast_evidence: () => record({ hash: hex }),
  tx: withHexProof,
  tx_search: (result) => {
    const { items } = memberOf(result, 'txs') as { readonly items: JsonSchema }
    return replaced(result, { txs: listOf(withHexProof(items)) })
  },
  abci_query: (result) =>
    replaced(result, { response: record({ ...membersOf('ResponseQuery'), key: base64, value: base64 }) }),
}

/** The result of an operation in the profile `openapi`. */
export function profileSchema(name: string, result: JsonSchema): JsonSchema {
  return RESHAPED[name]?.(result) ?? result
}
