import { recordingLines, recordingText } from '@org/golden'
import { type Block, type BlockId, type BlockMeta, type GenesisDoc, parseGenesis } from '@org/types'
import { bytesToHex, hexToBytes } from '@org/types/bytes'
import {
  type BlockStore,
  createBlockStore,
  createMemoryStore,
  createStateStore,
  type KeyValueStore,
  type StateStore,
} from '../../src/store/index.ts'

interface DumpLine {
  readonly db: string
  readonly key: string
  readonly value: string
}

/** A recorded node's databases, in memory. */
export interface RecordedChain {
  readonly genesis: GenesisDoc
  readonly dbs: Readonly<Record<string, KeyValueStore>>
  readonly blockStore: BlockStore
  readonly stateStore: StateStore
  readonly block: (height: number) => { readonly block: Block; readonly blockId: BlockId; readonly meta: BlockMeta }
}

const bytes = (hex: string): Uint8Array => hexToBytes(hex) ?? new Uint8Array(0)

export async function loadRecordedChain(folder: string, dump = 'db-dump.jsonl'): Promise<RecordedChain> {
  const dbs: Record<string, KeyValueStore> = {}
  const lines = Map.groupBy(recordingLines<DumpLine>(`${folder}/${dump}`), ({ db }) => db)
  for (const [db, entries] of lines) {
    const store = createMemoryStore()
    await store.write(entries.map(({ key, value }) => ({ type: 'put', key: bytes(key), value: bytes(value) })))
    dbs[db] = store
  }
  dbs.evidence ??= createMemoryStore()
  const db = (name: string): KeyValueStore => dbs[name] as KeyValueStore
  const blockStore = createBlockStore({}, { db: db('blockstore') })
  return {
    genesis: parseGenesis(recordingText(`${folder}/genesis.json`)),
    dbs,
    blockStore,
    stateStore: createStateStore({}, { db: db('state') }),
    block: (height) => {
      const block = blockStore.loadBlock(height)
      const meta = blockStore.loadBlockMeta(height)
      if (block === undefined || meta === undefined) throw new Error(`the recording has no block ${height}`)
      return { block, blockId: meta.blockId, meta }
    },
  }
}

/** Returns all keys and values of a database, in hex. */
export async function contents(db: KeyValueStore): Promise<Map<string, string>> {
  const pairs = new Map<string, string>()
  for await (const [key, value] of db.iterate({})) pairs.set(bytesToHex(key), bytesToHex(value))
  return pairs
}
