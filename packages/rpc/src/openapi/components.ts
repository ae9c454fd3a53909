import {
  Block,
  BlockId,
  BlockMeta,
  Commit,
  CommitSig,
  ConsensusParams,
  ConsensusParamsUpdate,
  DuplicateVoteEvidence,
  Evidence,
  Header,
  LightClientAttackEvidence,
  PartSetHeader,
  SignedHeader,
  TxProof,
  Validator,
  Vote,
} from '@org/types'
import {
  Event,
  EventAttribute,
  ExecTxResult,
  ResponseCheckTx,
  ResponseFinalizeBlock,
  ResponseInfo,
  ResponseQuery,
  TxResult,
  ValidatorUpdate,
} from '@org/types/abci'
import { Proof, PublicKey } from '@org/types/crypto'
import { hex, int, int64, listOf, record, ref, text, time } from '../call/json-schema.ts'
import type { JsonSchema } from '../call/params.ts'
import { createDescriber, type JsonCodec } from './schema-of.ts'

/** The types whose JSON several operations share. */
const NAMED: Readonly<Record<string, JsonCodec>> = {
  PartSetHeader,
  BlockId,
  Header,
  CommitSig,
  Commit,
  SignedHeader,
  Block,
  BlockMeta,
  PublicKey,
  Validator,
  Vote,
  DuplicateVoteEvidence,
  LightClientAttackEvidence,
  Evidence,
  EventAttribute,
  Event,
  ExecTxResult,
  ResponseCheckTx,
  ResponseFinalizeBlock,
  ResponseInfo,
  ResponseQuery,
  TxResult,
  ValidatorUpdate,
  Proof,
  TxProof,
  ConsensusParams,
  ConsensusParamsUpdate,
}

const describe = createDescriber(NAMED)

/**
 * The JSON schema of a genesis file, written by hand. Other schemas are made from protobuf messages, but a genesis file
 * is not a protobuf message.
 */
const GENESIS_DOC = record(
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
)

const EXTENSION: readonly string[] = ['extension', 'extension_signature']

/**
 * Returns the schema of a vote in which the extension is optional. A client may send evidence with votes that have no
 * extension.
 */
function withoutExtension(vote: JsonSchema): JsonSchema {
  return { ...vote, required: (vote.required as readonly string[]).filter((name) => !EXTENSION.includes(name)) }
}

/** The JSON forms that several operations share. */
export const COMPONENT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(Object.entries(NAMED).map(([name, codec]) => [name, describe(codec)])),
  Vote: withoutExtension(describe(Vote)),
  GenesisDoc: GENESIS_DOC,
  RpcError: record({ code: int, message: text, data: text }, ['data']),
}

/** The members of a component that is an object. */
export function membersOf(component: string): Readonly<Record<string, JsonSchema>> {
  return COMPONENT_SCHEMAS[component]?.properties as Readonly<Record<string, JsonSchema>>
}
