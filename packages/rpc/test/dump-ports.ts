import { recordingLines, recordingText } from '@org/golden'
import { CodedError } from '@org/runtime/errors'
import {
  Block,
  BlockMeta,
  BlockStoreState,
  Commit,
  ConsensusParams,
  ConsensusParamsInfo,
  copyIncrementProposerPriority,
  encodeGenesis,
  Part,
  parseGenesis,
  ValidatorsInfo,
} from '@org/types'
import { ResponseFinalizeBlock, TxResult } from '@org/types/abci'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@org/types/bytes'
import { addressOf, publicKeyFromJson } from '@org/types/crypto'
import type { MessageSchema } from '@org/types/schema'
import type { Events, Ports } from '../src/index.ts'

/** The message of the error that these ports throw if the recorded databases do not have the requested data. */
export const NOT_IN_DUMP = 'not in the dump'

interface DumpLine {
  readonly db: string
  readonly key: string
  readonly value: string
}

type Get = (db: string, key: string | Uint8Array) => Uint8Array | undefined

function loadDump(scenario: string, dump: string): Get {
  const values = new Map<string, string>()
  for (const { db, key, value } of recordingLines<DumpLine>(`${scenario}/${dump}.jsonl`))
    values.set(`${db}/${key}`, value)
  return (db, key) => {
    const bytes = typeof key === 'string' ? utf8ToBytes(key) : key
    const value = values.get(`${db}/${bytesToHex(bytes).toLowerCase()}`)
    return value === undefined || value === '' ? undefined : (hexToBytes(value) as Uint8Array)
  }
}

const unknown = (): CodedError => new CodedError('NOT_IN_DUMP', NOT_IN_DUMP)
const fail = (): never => {
  throw unknown()
}
const reject = (): Promise<never> => Promise.reject(unknown())

function blocksOf(get: Get): Ports['blocks'] {
  const load = <T>(key: string, schema: MessageSchema<T>): T | undefined => {
    const bytes = get('blockstore', key)
    return bytes === undefined ? undefined : schema.decode(bytes)
  }
  const range = load('blockStore', BlockStoreState) ?? BlockStoreState.create()
  const meta = (height: number): BlockMeta | undefined => load(`H:${height}`, BlockMeta)
  const block = (height: number): Block | undefined => {
    const total = meta(height)?.blockId.partSetHeader.total ?? 0
    const parts = Array.from({ length: total }, (_, i) => load(`P:${height}:${i}`, Part)?.bytes ?? new Uint8Array(0))
    return total === 0 ? undefined : Block.decode(concatBytes(...parts))
  }
  const heightOf = (hash: Uint8Array): number => {
    const text = get('blockstore', `BH:${bytesToHex(hash).toLowerCase()}`)
    return text === undefined ? 0 : Number(new TextDecoder().decode(text))
  }
  return {
    base: () => range.base,
    height: () => range.height,
    loadBlock: block,
    loadBlockMeta: meta,
    loadBlockByHash: (hash) => block(heightOf(hash)),
    loadBlockMetaByHash: (hash) => meta(heightOf(hash)),
    loadBlockCommit: (height) => load(`C:${height}`, Commit),
    loadSeenCommit: (height) => load(`SC:${height}`, Commit),
  }
}

function stateOf(get: Get): Ports['state'] {
  const info = (height: number): ValidatorsInfo =>
    ValidatorsInfo.decode(get('state', `validatorsKey:${height}`) ?? fail())
  const params = (height: number): ConsensusParamsInfo =>
    ConsensusParamsInfo.decode(get('state', `consensusParamsKey:${height}`) ?? fail())
  return {
    loadValidators: (height) => {
      const { validatorSet, lastHeightChanged } = info(height)
      if (validatorSet !== undefined) return validatorSet
      return copyIncrementProposerPriority(info(lastHeightChanged).validatorSet ?? fail(), height - lastHeightChanged)
    },
    loadConsensusParams: (height) => {
      const { consensusParams: own, lastHeightChanged } = params(height)
      const found = own.block === undefined ? params(lastHeightChanged).consensusParams : own
      return ConsensusParams.create(found as Partial<ConsensusParams>)
    },
    loadFinalizeBlockResponse: (height) =>
      ResponseFinalizeBlock.decode(get('state', `abciResponsesKey:${height}`) ?? fail()),
  }
}

const NO_EVENTS: Events = {
  numClients: () => 0,
  numClientSubscriptions: () => 0,
  subscribe: fail,
  unsubscribe: fail,
  unsubscribeAll: fail,
  awaitTx: reject,
}

const KEY = { type: 'tendermint/PubKeyEd25519', value: 'llziW0nWSBdMCFeQQhHoXyHEvDpE1Xuh2X5P4Iu24rw=' }

export interface DumpOptions {
  readonly indexing: boolean
  /**
   * The name of the file with the recorded databases, without `.jsonl`. A recording of several nodes has one file per
   * node. Default: `db-dump`.
   */
  readonly dump?: string
}

/**
 * Creates ports over the databases and the genesis of a recorded node. The data about the node itself are always those
 * of the recording `kvstore-single`.
 */
export function createDumpPorts(scenario: string, options: DumpOptions): Ports {
  const get = loadDump(scenario, options.dump ?? 'db-dump')
  const publicKey = publicKeyFromJson(KEY)
  return {
    blocks: blocksOf(get),
    state: stateOf(get),
    genesis: { text: () => encodeGenesis(parseGenesis(recordingText(`${scenario}/genesis.json`))) },
    search: {
      enabled: options.indexing,
      tx: async (hash) => {
        if (hash.length === 0) throw new CodedError('EMPTY_HASH', 'transaction hash cannot be empty')
        const found = get('tx_index', hash)
        return found === undefined ? undefined : TxResult.decode(found)
      },
      txs: reject,
      blocks: reject,
    },
    app: { info: reject, query: reject, checkTx: reject },
    mempool: { checkTx: reject, reapMaxTxs: () => [], size: () => 0, sizeBytes: () => 0, flush: () => undefined },
    events: NO_EVENTS,
    peers: {
      nodeInfo: () => ({
        protocolVersion: { p2p: 8n, block: 11n, app: 1n },
        id: '35a040f5675b3fcaccca1638ba3912637580dd61',
        listenAddr: 'tcp://127.0.0.1:28656',
        network: 'golden-kv-1',
        version: '0.38.25',
        channels: hexToBytes('40202122233038606100') as Uint8Array,
        moniker: 'golden',
        other: { txIndex: options.indexing ? 'on' : 'off', rpcAddress: 'tcp://127.0.0.1:28657' },
      }),
      isListening: () => true,
      listeners: () => ['Listener(@)'],
      peers: () => [],
      dialPeers: reject,
      addPersistentPeers: reject,
      addPrivatePeerIds: reject,
      addUnconditionalPeerIds: reject,
    },
    consensus: { roundState: fail, roundStateSimple: fail, peerStates: () => [], waitSync: () => false },
    validator: { publicKey, address: addressOf(publicKey) },
    evidence: { addEvidence: reject },
  }
}
