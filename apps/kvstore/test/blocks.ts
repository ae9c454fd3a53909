import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { recordingJson, recordingPath } from '@org/golden'
import { Block, ConsensusParamsUpdate, evidenceListToMisbehavior, Part } from '@org/types'
import { RequestFinalizeBlock, RequestInitChain, ResponseFinalizeBlock } from '@org/types/abci'
import { base64ToBytes, concatBytes, hexToBytes } from '@org/types/bytes'

export interface RecordedBlock {
  readonly request: RequestFinalizeBlock
  /** The response of the Go kvstore to `request`. */
  readonly response: ResponseFinalizeBlock
  /** The app hash in the header of the block. It is the hash of the state before the block. */
  readonly appHash: Uint8Array
}

export interface RecordedChain {
  readonly initChain: RequestInitChain
  readonly blocks: readonly RecordedBlock[]
}

type Database = ReadonlyMap<string, Uint8Array>

function readDump(path: string): (name: string) => Database {
  const text = gunzipSync(readFileSync(recordingPath(path))).toString('utf8')
  const databases = new Map<string, Map<string, Uint8Array>>()
  for (const line of text.split('\n')) {
    if (line === '') continue
    const { db, key, value } = JSON.parse(line) as { db: string; key: string; value: string }
    const pairs = databases.get(db) ?? new Map<string, Uint8Array>()
    databases.set(db, pairs.set(Buffer.from(key, 'hex').toString('latin1'), hexToBytes(value) ?? new Uint8Array(0)))
  }
  return (name) => databases.get(name) ?? new Map<string, Uint8Array>()
}

function blockAt(store: Database, height: number): Block | undefined {
  const parts: Uint8Array[] = []
  for (let index = 0; ; index++) {
    const part = store.get(`P:${height}:${index}`)
    if (part === undefined) break
    parts.push(Part.decode(part).bytes)
  }
  return parts.length === 0 ? undefined : Block.decode(concatBytes(...parts))
}

interface Genesis {
  readonly consensus_params: { readonly validator: { readonly pub_key_types: readonly string[] } }
  readonly validators: readonly { readonly pub_key: { readonly value: string }; readonly power: string }[]
}

/** Returns the blocks of a recorded chain, each with the response of the Go kvstore. */
export function recordedChain(scenario: string, dump: string): RecordedChain {
  const database = readDump(`${scenario}/${dump}`)
  const { validators, consensus_params } = recordingJson<Genesis>(`${scenario}/genesis.json`)
  const blocks: RecordedBlock[] = []
  for (let height = 1; ; height++) {
    const block = blockAt(database('blockstore'), height)
    const stored = database('state').get(`abciResponsesKey:${height}`)
    const response = stored === undefined ? undefined : ResponseFinalizeBlock.decode(stored)
    if (block === undefined || response === undefined) break
    const request = RequestFinalizeBlock.create({
      txs: block.data.txs,
      misbehavior: evidenceListToMisbehavior(block.evidence.evidence),
      height,
    })
    blocks.push({ request, response, appHash: block.header.appHash })
  }
  const pubKeyTypes = consensus_params.validator.pub_key_types
  return {
    initChain: RequestInitChain.create({
      consensusParams: ConsensusParamsUpdate.create({ validator: { pubKeyTypes } }),
      validators: validators.map(({ pub_key, power }) => ({
        pubKey: { type: 'ed25519', bytes: base64ToBytes(pub_key.value) ?? new Uint8Array(0) },
        power: BigInt(power),
      })),
    }),
    blocks,
  }
}
