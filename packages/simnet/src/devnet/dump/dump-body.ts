import { type Op, put } from '@org/engine/storage'
import { messageOf } from '@org/runtime'
import { encodeGenesis, parseGenesis } from '@org/types'
import { ValidatorUpdate } from '@org/types/abci'
import { bytesToBase64, utf8ToBytes } from '@org/types/bytes'
import type { PrivateKey, PublicKey } from '@org/types/crypto'
import type { SavedNode } from '../../chain/snapshot.ts'
import type { DevnetOrigin } from '../origin.ts'
import { type BytePool, bytesOf, corrupt, createBytePool, readBytePool } from './byte-pool.ts'

/**
 * The entries of a database. Each entry consists of two indices in the list `pool` of the body: the index of the key
 * and the index of the value. This list contains the bytes.
 */
type Entries = readonly number[]

interface KeyJson {
  readonly type: string
  readonly bytes: string
}

interface BodyJson {
  readonly genesis: string
  readonly keys: readonly KeyJson[]
  readonly replaced: readonly KeyJson[]
  /** The difference of the chain's clock from real time, in nanoseconds. */
  readonly offset: string
  readonly blocks: { readonly base: number; readonly height: number; readonly lastTime: string }
  readonly changes: readonly (readonly [height: number, updates: readonly string[]])[]
  readonly nodes: readonly {
    readonly stores: Readonly<Record<string, Entries>>
    readonly files: Readonly<Record<string, number>>
  }[]
  readonly appState: Entries | null
  readonly pool: readonly string[]
}

const keyToJson = ({ type, bytes }: PrivateKey | PublicKey): KeyJson => ({ type, bytes: bytesToBase64(bytes) })

function keyFromJson<K extends PrivateKey | PublicKey>({ type, bytes }: KeyJson): K {
  return { type, bytes: bytesOf(bytes) } as K
}

function entriesToJson(ops: readonly Op[], pool: BytePool): Entries {
  return ops.flatMap((op) => (op.type === 'put' ? [pool.add(op.key), pool.add(op.value)] : []))
}

function entriesFromJson(entries: Entries, read: (place: number) => Uint8Array): readonly Op[] {
  return Array.from({ length: entries.length / 2 }, (_, i) =>
    put(read(entries[2 * i] as number), read(entries[2 * i + 1] as number)),
  )
}

/** Encodes a chain: genesis, keys, and what is on the disks of its validators. */
export function encodeBody(origin: DevnetOrigin): Uint8Array {
  const { genesis, keys, nodes = [], changes = new Map(), offset = 0n, replacements = [], appState } = origin
  const { base, height, lastTime } = origin.blocks ?? { base: 0, height: 0, lastTime: 0n }
  const pool = createBytePool()
  const body: Omit<BodyJson, 'pool'> = {
    genesis: encodeGenesis(genesis),
    keys: keys.map(keyToJson),
    replaced: replacements.map(({ original }) => keyToJson(original)),
    offset: String(offset),
    blocks: { base, height, lastTime: String(lastTime) },
    changes: [...changes].map(([at, updates]) => [
      at,
      updates.map((update: ValidatorUpdate) => bytesToBase64(ValidatorUpdate.encode(update))),
    ]),
    nodes: nodes.map(({ stores, files }) => ({
      stores: Object.fromEntries([...stores].map(([name, ops]) => [name, entriesToJson(ops, pool)])),
      files: Object.fromEntries([...files].map(([path, bytes]) => [path, pool.add(bytes)])),
    })),
    appState: appState === undefined ? null : entriesToJson(appState, pool),
  }
  return utf8ToBytes(JSON.stringify({ ...body, pool: pool.values() }))
}

function nodeFromJson(node: BodyJson['nodes'][number], read: (place: number) => Uint8Array): SavedNode {
  const stores = Object.entries(node.stores).map(([name, entries]) => [name, entriesFromJson(entries, read)] as const)
  const files = Object.entries(node.files).map(([path, place]) => [path, read(place)] as const)
  return { stores: new Map(stores), files: new Map(files), skewMs: 0 }
}

function originFromJson(body: BodyJson): DevnetOrigin {
  const read = readBytePool(body.pool)
  const { base, height, lastTime } = body.blocks
  const keys = body.keys.map((key) => keyFromJson<PrivateKey>(key))
  const nodes = body.nodes.map((node) => nodeFromJson(node, read))
  if (keys.length === 0 || nodes.length !== keys.length)
    throw corrupt('the number of keys and the number of validators differ')
  return {
    genesis: parseGenesis(body.genesis),
    keys,
    nodes,
    changes: new Map(
      body.changes.map(([at, updates]) => [at, updates.map((update) => ValidatorUpdate.decode(bytesOf(update)))]),
    ),
    offset: BigInt(body.offset),
    blocks: { base, height, lastTime: BigInt(lastTime) },
    replacements: body.replaced.map((original, i) => ({
      original: keyFromJson<PublicKey>(original),
      key: keys[i] as PrivateKey,
    })),
    ...(body.appState !== null && { appState: entriesFromJson(body.appState, read) }),
  }
}

/** Decodes a chain. Throws `DEVNET_DUMP_CORRUPT`. */
export function decodeBody(bytes: Uint8Array): DevnetOrigin {
  try {
    return originFromJson(JSON.parse(new TextDecoder().decode(bytes)) as BodyJson)
  } catch (cause) {
    throw corrupt(messageOf(cause), cause)
  }
}
