import {
  type Block,
  BlockId,
  BlockIdFlag,
  type Commit,
  type CommitSig,
  ConsensusParamsUpdate,
  type Evidence,
  eventDataToJson,
  Header,
  validatorByAddress,
  ZERO_BLOCK_ID,
} from '@org/types'
import { Event, type ExecTxResult, ResponseCheckTx, ValidatorUpdate } from '@org/types/abci'
import { bytesToBase64, bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { PublicKey } from '@org/types/crypto'
import { isJsonObject, type Json, type JsonObject, stringifyJson } from '@org/types/schema'
import { formatTime } from '@org/types/time'
import { errorMessage, failureReply } from '../call/envelope.ts'
import { piecesOfList } from '../call/json-slices.ts'
import type { Profile } from '../call/profile.ts'
import {
  type ResultBlock,
  type ResultBlockSearch,
  type ResultBroadcastTxCommit,
  type ResultTx,
  type ResultTxSearch,
  txResult,
} from '../operations/results.ts'
import { isLargeBlock, piecesOfBlock } from '../operations/sliced-block.ts'
import type { EventItem, Ports } from '../ports/index.ts'
import { withHexAppHash, withHexAppHashAtEnd, withHexHash, withHexProof } from './hex-hashes.ts'

const SECOND = 1_000_000_000n
/** The type of the votes in a commit, as a number. */
const PRECOMMIT = 2

type RawJson = (text: string) => Json

/**
 * Returns an integer as a JSON number. An integer above 2^53 is written with all its digits, if the runtime has
 * `JSON.rawJSON`.
 */
function integer(value: bigint): Json {
  const exact = (JSON as { readonly rawJSON?: RawJson }).rawJSON
  const isSafe = BigInt.asIntN(54, value) === value
  return isSafe || exact === undefined ? Number(value) : exact(String(value))
}

/** Returns the JSON of a header. The versions `block` and `app` are written even if they are 0. */
function headerToJson(header: Header): Json {
  const { block, app } = header.version
  return { ...(Header.toJson(header) as JsonObject), version: { block: String(block), app: String(app) } }
}

function completeHeader(json: Json | undefined): Json {
  if (!isJsonObject(json)) return json ?? null
  return { ...json, version: { block: '0', app: '0', ...(json.version as JsonObject) } }
}

function signatureToJson(signature: CommitSig, index: number, commit: Commit): Json {
  const isFor = signature.blockIdFlag === BlockIdFlag.commit
  return {
    type: PRECOMMIT,
    height: String(commit.height),
    round: commit.round,
    block_id: BlockId.toJson(isFor ? commit.blockId : ZERO_BLOCK_ID),
    timestamp: formatTime(signature.timestamp),
    validator_address: bytesToHex(signature.validatorAddress),
    validator_index: index,
    signature: bytesToBase64(signature.signature),
  }
}

function commitToJson(commit: Commit | undefined): Json {
  const signatures = (commit?.signatures ?? []).flatMap((signature, index) =>
    commit === undefined || signature.blockIdFlag === BlockIdFlag.absent
      ? []
      : [signatureToJson(signature, index, commit)],
  )
  return {
    height: commit?.height ?? 0,
    round: commit?.round ?? 0,
    block_id: BlockId.toJson(commit?.blockId ?? ZERO_BLOCK_ID),
    signatures,
  }
}

function validatorToJson(key: PublicKey | undefined, power: bigint, address: Uint8Array): Json {
  return {
    pub_key: key === undefined ? null : PublicKey.toJson(key),
    voting_power: integer(power),
    address: bytesToHex(address),
  }
}

/**
 * Returns the public key of a validator that signed two different votes. The evidence has only the address of the
 * validator, so the key is looked up in the validator set of the height of the votes. Returns `undefined` if this set
 * is pruned.
 */
function keyOf(address: Uint8Array, height: number, { state }: Ports): PublicKey | undefined {
  try {
    const set = state.loadSigners?.(height) ?? state.loadValidators(height)
    return validatorByAddress(set, address)?.validator.pubKey
  } catch {
    return undefined
  }
}

function evidenceToJson({ sum }: Evidence, ports: Ports): Json {
  if (sum === undefined) return null
  const about = {
    time: integer(sum.value.timestamp / SECOND),
    total_voting_power: integer(sum.value.totalVotingPower),
  }
  if (sum.case === 'lightClientAttackEvidence') {
    const [first] = sum.value.byzantineValidators
    const validator = first === undefined ? null : validatorToJson(first.pubKey, first.votingPower, first.address)
    return { type: 'tendermint/LightClientAttackEvidence', height: sum.value.commonHeight, ...about, validator }
  }
  const { voteA, validatorPower } = sum.value
  const height = voteA?.height ?? 0
  const validator =
    voteA === undefined
      ? null
      : validatorToJson(keyOf(voteA.validatorAddress, height, ports), validatorPower, voteA.validatorAddress)
  return { type: 'tendermint/DuplicateVoteEvidence', height, ...about, validator }
}

function blockToJson(block: Block, ports: Ports): Json {
  return {
    header: headerToJson(block.header),
    data: block.data.txs.map((tx) => bytesToBase64(tx)),
    evidence: block.evidence.evidence.map((one) => evidenceToJson(one, ports)),
    last_commit: commitToJson(block.lastCommit),
  }
}

function completeToJson({ blockId, block }: ResultBlock, ports: Ports): Json {
  return { block_id: BlockId.toJson(blockId), block: block === undefined ? null : blockToJson(block, ports) }
}

/**
 * Leaves out each member whose value is `null`, 0, an empty text or an empty list. The service document describes
 * answers without such members.
 */
function withoutEmpty(json: Json): JsonObject {
  const isPresent = (value: Json): boolean =>
    value !== null && value !== '' && value !== 0 && value !== '0' && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(json as JsonObject).filter(([, value]) => isPresent(value)))
}

function tagsOf(events: readonly Event[]): Json {
  return events.flatMap(({ type, attributes }) =>
    attributes.map(({ key, value }) => ({
      key: bytesToBase64(utf8ToBytes(`${type}.${key}`)),
      value: bytesToBase64(utf8ToBytes(value)),
    })),
  )
}

function delivered(result: ExecTxResult): Json {
  const { code, data, log, info, gasWanted, gasUsed, codespace } = result
  const sent = { code, data: bytesToBase64(data), log, info, codespace }
  const gas = { gas_wanted: String(gasWanted), gas_used: String(gasUsed) }
  return { ...withoutEmpty({ ...sent, ...gas }), tags: tagsOf(result.events) }
}

function committedToJson({ checkTx, txResult, hash, height }: ResultBroadcastTxCommit): Json {
  return {
    check_tx: withoutEmpty(ResponseCheckTx.toJson(checkTx)),
    deliver_tx: delivered(txResult),
    hash: bytesToHex(hash),
    height,
  }
}

/** Changes `voting_power` from a text to a number. */
function numericPower(json: Json): Json {
  if (!isJsonObject(json) || typeof json.voting_power !== 'string') return json
  return { ...json, voting_power: integer(BigInt(json.voting_power)) }
}

const each = (json: Json | undefined, change: (item: Json) => Json): Json =>
  Array.isArray(json) ? json.map(change) : (json ?? null)

type Change = (json: JsonObject) => Json

const withHeader: Change = (json) => ({ ...json, header: completeHeader(json.header) })

/**
 * For each operation, the function that changes its result from the v0.38 form to the form of the service document. The
 * service document describes only some members of a result. The other members keep the v0.38 form.
 */
const CHANGES: Readonly<Record<string, Change>> = {
  abci_info: withHexAppHash,
  broadcast_evidence: withHexHash,
  tx: withHexProof,
  header: withHeader,
  header_by_hash: withHeader,
  blockchain: (json) => ({
    ...json,
    block_metas: each(json.block_metas, (meta) => (isJsonObject(meta) ? withHeader(meta) : meta)),
  }),
  validators: (json) => ({ ...json, validators: each(json.validators, numericPower) }),
  status: (json) => ({ ...json, validator_info: numericPower(json.validator_info ?? null) }),
  abci_query: (json) => {
    const response = json.response as JsonObject
    return { ...json, response: { ...response, key: response.key ?? '', value: response.value ?? '' } }
  },
}

function blockPieces({ blockId, block }: ResultBlock, ports: Ports): Iterable<string> | undefined {
  if (block === undefined || !isLargeBlock(block)) return undefined
  const write = (one: Block): string => stringifyJson(completeToJson({ blockId, block: one }, ports))
  return piecesOfBlock(block, '"data":[]', write)
}

function foundToJson(found: ResultTx): Json {
  return withHexProof(JSON.parse(txResult.stringify(found)) as Json)
}

type Write = (value: never, ports: Ports) => Json

const WRITERS: Readonly<Record<string, Write>> = {
  block: completeToJson,
  block_by_hash: completeToJson,
  block_search: ({ blocks, totalCount }: ResultBlockSearch, ports) => ({
    blocks: blocks.map((one) => completeToJson(one, ports)),
    total_count: String(totalCount),
  }),
  broadcast_tx_commit: committedToJson,
  tx_search: ({ txs, totalCount }: ResultTxSearch) => ({ txs: txs.map(foundToJson), total_count: String(totalCount) }),
}

type Slice = (value: never, ports: Ports) => Iterable<string> | undefined

/** For each operation whose result may be large, the function that writes this result as a sequence of short texts. */
const PIECES: Readonly<Record<string, Slice>> = {
  block: blockPieces,
  block_by_hash: blockPieces,
  block_search: ({ blocks, totalCount }: ResultBlockSearch, ports) =>
    piecesOfList(stringifyJson({ blocks: [], total_count: String(totalCount) }), blocks, {
      stringify: (one) => stringifyJson(completeToJson(one, ports)),
      pieces: (one) => blockPieces(one, ports),
    }),
  tx_search: ({ txs, totalCount }: ResultTxSearch) =>
    piecesOfList(stringifyJson({ txs: [], total_count: String(totalCount) }), txs, {
      stringify: (one) => stringifyJson(foundToJson(one)),
    }),
}

function eventToJson({ data }: EventItem, ports: Ports): Json {
  if (data.type === 'NewBlock') {
    const { events, validatorUpdates, consensusParamUpdates } = data.resultFinalizeBlock
    const value = {
      block: blockToJson(data.block, ports),
      result_begin_block: { events: events.map(Event.toJson) },
      result_end_block: {
        validator_updates: validatorUpdates.map(ValidatorUpdate.toJson),
        consensus_param_updates:
          consensusParamUpdates === undefined ? null : ConsensusParamsUpdate.toJson(consensusParamUpdates),
      },
    }
    return { type: 'tendermint/event/NewBlock', value }
  }
  const json = eventDataToJson(data) as JsonObject
  const value = json.value as JsonObject
  if (data.type === 'NewBlockHeader') return { ...json, value: withHeader(value) }
  if (data.type === 'ValidatorSetUpdates')
    return { ...json, value: { ...value, validator_updates: each(value.validator_updates, numericPower) } }
  return json
}

/** The profile `openapi`: the exact shapes of the Node RPC Service Specification. */
export const openapiProfile: Profile = {
  name: 'openapi',
  noId: '""',
  cachesFailures: false,
  resultText: (route, value, ports) => {
    const write = WRITERS[route.name]
    if (write !== undefined) return stringifyJson(write(value as never, ports))
    const change = CHANGES[route.name]
    const text = openapiProfile.slice(route, route.result.stringify(value))
    return change === undefined ? text : stringifyJson(change(JSON.parse(text) as JsonObject))
  },
  resultPieces: (route, value, ports) => {
    if (WRITERS[route.name] !== undefined) return PIECES[route.name]?.(value as never, ports)
    return CHANGES[route.name] === undefined ? route.pieces?.(value) : undefined
  },
  slice: ({ name }, piece) => (name === 'block_results' ? withHexAppHashAtEnd(piece) : piece),
  isPlain: ({ name }) => WRITERS[name] === undefined && CHANGES[name] === undefined,
  errorReply: (id = '""', kind, data = '') => failureReply(id, errorMessage(kind, data)),
  eventText: (item, ports) => `"data":${stringifyJson(eventToJson(item, ports))}`,
}
