import {
  Block,
  BlockId,
  BlockMeta,
  ConsensusParams,
  ConsensusParamsUpdate,
  Header,
  SignedHeader,
  TxProof,
  Validator,
} from '@org/types'
import { Event, ExecTxResult, ResponseCheckTx, ResponseInfo, ResponseQuery, ValidatorUpdate } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { PublicKey } from '@org/types/crypto'
import { type Json, stringifyJson } from '@org/types/schema'
import {
  amount,
  anyJson,
  base64,
  base64OrNull,
  coded,
  count,
  flag,
  hex,
  type JsonType,
  list,
  nullable,
  nullableList,
  object,
  omittable,
  resultOf,
  text,
  time,
  uint32,
} from '../call/json-type.ts'
import type { ResultType } from '../call/route.ts'
import type { NodeInfo, PeerInfo } from '../ports/index.ts'

export interface ResultEmpty {
  readonly [key: string]: never
}
export const emptyResult: ResultType<ResultEmpty> = resultOf(object({}))

const nodeInfo: JsonType<NodeInfo> = object({
  protocolVersion: object({ p2p: amount, block: amount, app: amount }),
  id: text,
  listenAddr: text,
  network: text,
  version: text,
  channels: hex,
  moniker: text,
  other: object({ txIndex: text, rpcAddress: text }),
})

/** The state of the chain on this node; times in nanoseconds since 1970. */
export interface SyncInfo {
  readonly latestBlockHash: Uint8Array
  readonly latestAppHash: Uint8Array
  readonly latestBlockHeight: number
  readonly latestBlockTime: bigint
  readonly earliestBlockHash: Uint8Array
  readonly earliestAppHash: Uint8Array
  readonly earliestBlockHeight: number
  readonly earliestBlockTime: bigint
  readonly catchingUp: boolean
}
export interface ResultStatus {
  readonly nodeInfo: NodeInfo
  readonly syncInfo: SyncInfo
  readonly validatorInfo: {
    readonly address: Uint8Array
    readonly pubKey: PublicKey
    readonly votingPower: bigint
  }
}
export const statusResult: ResultType<ResultStatus> = resultOf(
  object({
    nodeInfo,
    syncInfo: object({
      latestBlockHash: hex,
      latestAppHash: hex,
      latestBlockHeight: count,
      latestBlockTime: time,
      earliestBlockHash: hex,
      earliestAppHash: hex,
      earliestBlockHeight: count,
      earliestBlockTime: time,
      catchingUp: flag,
    }),
    validatorInfo: object({ address: hex, pubKey: coded(PublicKey, 'PublicKey'), votingPower: amount }),
  }),
)

export interface ResultNetInfo {
  readonly listening: boolean
  readonly listeners: readonly string[]
  readonly nPeers: number
  readonly peers: readonly PeerInfo[]
}
export const netInfoResult: ResultType<ResultNetInfo> = resultOf(
  object({
    listening: flag,
    listeners: list(text),
    nPeers: count,
    peers: list(object({ nodeInfo, isOutbound: flag, connectionStatus: anyJson, remoteIp: text })),
  }),
)

export interface ResultBlockchain {
  readonly lastHeight: number
  readonly blockMetas: readonly (BlockMeta | undefined)[]
}
export const blockchainResult: ResultType<ResultBlockchain> = resultOf(
  object({ lastHeight: count, blockMetas: list(nullable(coded(BlockMeta, 'BlockMeta'))) }),
)

export interface ResultHeader {
  readonly header: Header | undefined
}
export const headerResult: ResultType<ResultHeader> = resultOf(object({ header: nullable(coded(Header, 'Header')) }))

export interface ResultBlock {
  readonly blockId: BlockId
  readonly block: Block | undefined
}
const block: JsonType<ResultBlock> = object({
  blockId: coded(BlockId, 'BlockId'),
  block: nullable(coded(Block, 'Block')),
})
export const blockResult: ResultType<ResultBlock> = resultOf(block)

export interface ResultCommit {
  readonly signedHeader: SignedHeader
  /**
   * False for the last block: its commit is the seen commit of this node, and the next block may contain another
   * commit. True for all other blocks.
   */
  readonly canonical: boolean
}
export const commitResult: ResultType<ResultCommit | undefined> = resultOf(
  nullable(object({ signedHeader: coded(SignedHeader, 'SignedHeader'), canonical: flag })),
)

export interface ResultBlockResults {
  readonly height: number
  readonly txsResults: readonly ExecTxResult[]
  readonly finalizeBlockEvents: readonly Event[]
  readonly validatorUpdates: readonly ValidatorUpdate[]
  readonly consensusParamUpdates: ConsensusParamsUpdate | undefined
  readonly appHash: Uint8Array
}
export const blockResultsResult: ResultType<ResultBlockResults> = resultOf(
  object({
    height: count,
    txsResults: nullableList(coded(ExecTxResult, 'ExecTxResult')),
    finalizeBlockEvents: nullableList(coded(Event, 'Event')),
    validatorUpdates: nullableList(coded(ValidatorUpdate, 'ValidatorUpdate')),
    consensusParamUpdates: nullable(coded(ConsensusParamsUpdate, 'ConsensusParamsUpdate')),
    appHash: base64OrNull,
  }),
)

export interface ResultValidators {
  readonly blockHeight: number
  readonly validators: readonly Validator[]
  readonly count: number
  readonly total: number
}
export const validatorsResult: ResultType<ResultValidators> = resultOf(
  object({ blockHeight: count, validators: list(coded(Validator, 'Validator')), count, total: count }),
)

export interface ResultConsensusParams {
  readonly blockHeight: number
  readonly consensusParams: ConsensusParams
}
export const consensusParamsResult: ResultType<ResultConsensusParams> = resultOf(
  object({ blockHeight: count, consensusParams: coded(ConsensusParams, 'ConsensusParams') }),
)

export interface ResultTx {
  readonly hash: Uint8Array
  readonly height: number
  readonly index: number
  readonly txResult: ExecTxResult
  readonly tx: Uint8Array
  readonly proof: TxProof | undefined
}
const tx: JsonType<ResultTx> = object({
  hash: hex,
  height: count,
  index: uint32,
  txResult: coded(ExecTxResult, 'ExecTxResult'),
  tx: base64,
  proof: omittable(coded(TxProof, 'TxProof')),
})
export const txResult: ResultType<ResultTx> = resultOf(tx)

export interface ResultTxSearch {
  readonly txs: readonly ResultTx[]
  readonly totalCount: number
}
export const txSearchResult: ResultType<ResultTxSearch> = resultOf(object({ txs: list(tx), totalCount: count }))

export interface ResultBlockSearch {
  readonly blocks: readonly ResultBlock[]
  readonly totalCount: number
}
export const blockSearchResult: ResultType<ResultBlockSearch> = resultOf(
  object({ blocks: list(block), totalCount: count }),
)

export interface ResultBroadcastTx {
  readonly code: number
  readonly data: Uint8Array
  readonly log: string
  readonly codespace: string
  readonly hash: Uint8Array
}
const broadcastTx: ResultType<ResultBroadcastTx> = resultOf(
  object({ code: uint32, data: hex, log: text, codespace: text, hash: hex }),
)
const quoted = (text: string): string => (text === '' ? '""' : stringifyJson(text))

/**
 * The result of the operations that send a transaction. For speed, its JSON is written directly, without the object
 * that `toJson` makes.
 */
export const broadcastTxResult: ResultType<ResultBroadcastTx> = {
  ...broadcastTx,
  stringify: ({ code, data, log, codespace, hash }) =>
    `{"code":${code},"data":"${data.length === 0 ? '' : bytesToHex(data)}","log":${quoted(log)},` +
    `"codespace":${quoted(codespace)},"hash":"${bytesToHex(hash)}"}`,
}

export interface ResultBroadcastTxCommit {
  readonly checkTx: ResponseCheckTx
  readonly txResult: ExecTxResult
  readonly hash: Uint8Array
  readonly height: number
}
export const broadcastTxCommitResult: ResultType<ResultBroadcastTxCommit> = resultOf(
  object({
    checkTx: coded(ResponseCheckTx, 'ResponseCheckTx'),
    txResult: coded(ExecTxResult, 'ExecTxResult'),
    hash: hex,
    height: count,
  }),
)

export interface ResultCheckTx extends ResponseCheckTx {}
export const checkTxResult: ResultType<ResultCheckTx> = resultOf(coded(ResponseCheckTx, 'ResponseCheckTx'))

export interface ResultUnconfirmedTxs {
  readonly nTxs: number
  readonly total: number
  readonly totalBytes: number
  readonly txs: readonly Uint8Array[]
}
export const unconfirmedTxsResult: ResultType<ResultUnconfirmedTxs> = resultOf(
  object({ nTxs: count, total: count, totalBytes: count, txs: nullableList(base64) }),
)

export interface ResultAbciInfo {
  readonly response: ResponseInfo
}
export const abciInfoResult: ResultType<ResultAbciInfo> = resultOf(
  object({ response: coded(ResponseInfo, 'ResponseInfo') }),
)

export interface ResultAbciQuery {
  readonly response: ResponseQuery
}
export const abciQueryResult: ResultType<ResultAbciQuery> = resultOf(
  object({ response: coded(ResponseQuery, 'ResponseQuery') }),
)

export interface ResultBroadcastEvidence {
  readonly hash: Uint8Array
}
export const broadcastEvidenceResult: ResultType<ResultBroadcastEvidence> = resultOf(object({ hash: base64 }))

export interface ResultDial {
  readonly log: string
}
export const dialResult: ResultType<ResultDial> = resultOf(object({ log: text }))

export interface ResultGenesisChunk {
  readonly chunk: number
  readonly total: number
  /** The bytes of this chunk of the genesis document, in base64. */
  readonly data: string
}
export const genesisChunkResult: ResultType<ResultGenesisChunk> = resultOf(
  object({ chunk: count, total: count, data: text }),
)

export interface ResultConsensusState {
  readonly roundState: Json
}
export const consensusStateResult: ResultType<ResultConsensusState> = resultOf(object({ roundState: anyJson }))

export interface ResultDumpConsensusState {
  readonly roundState: Json
  readonly peers: readonly { readonly nodeAddress: string; readonly peerState: Json }[]
}
export const dumpConsensusStateResult: ResultType<ResultDumpConsensusState> = resultOf(
  object({ roundState: anyJson, peers: list(object({ nodeAddress: text, peerState: anyJson })) }),
)
