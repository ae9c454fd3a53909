import { join } from 'node:path'
import type { Application } from '@org/abci'
import { noopLogger } from '@org/runtime'
import {
  type ExecTxResult,
  MisbehaviorType,
  ProposalStatus,
  type RequestFinalizeBlock,
  type RequestQuery,
  type ResponseQuery,
  type ValidatorUpdate,
} from '@org/types/abci'
import { bytesToHex, concatBytes, utf8ToBytes } from '@org/types/bytes'
import { EMPTY_BYTES } from '@org/types/schema'
import { ABCI_VERSION, APP_VERSION, CODE } from './codes.ts'
import { KVSTORE_ERRORS, KvStoreError } from './errors.ts'
import { ANY_KEY_TYPES, decodeMeta, encodeMeta, type Meta } from './meta.ts'
import type { KvStoreOptions } from './options.ts'
import { executedResult, refusedResult } from './results.ts'
import { createRules } from './rules/index.ts'
import { createSnapshotRestorer, createSnapshotTaker, type SnapshotOptions } from './snapshots/index.ts'
import { type AppState, appHashOf, decodeState, encodeState, META_KEY, pairKey, STATE_KEY } from './state.ts'
import { createMemoryStorage, type KeyValueStorage, openLevelStorage, type StorageOp } from './store/index.ts'
import { createValidatorBook } from './validators.ts'

/** The demo application. Its methods are those of {@link Application}; `close` also closes the storage. */
export type KvStore = Required<Application> & { readonly close: () => Promise<void> }

const VALIDATOR_PATH_PREFIX = utf8ToBytes('val=')
const SNAPSHOT_DEFAULTS = { interval: 100, keep: 2, maxBytes: 32 * 1024 * 1024 }

/** A block that is executed and waits for its commit. */
interface Staged {
  readonly state: AppState
  readonly updates: readonly ValidatorUpdate[]
  readonly writes: readonly StorageOp[]
  /** Why it cannot be committed, if so. */
  readonly fault: string | undefined
}

/** The application over a storage that is open. Throws `KVSTORE_OTHER_RULES` or `KVSTORE_BAD_STATE`. */
export function createKvStore(options: KvStoreOptions): KvStore {
  const { store = createMemoryStorage(), retainBlocks = 0, logger = noopLogger } = options
  const book = createValidatorBook(store)
  let meta: Meta
  let isMetaStored: boolean
  let committed: AppState
  let staged: Staged | undefined

  function reload(): void {
    const stored = readMeta(store, options)
    meta = stored ?? { rules: options.rules, keyTypes: ANY_KEY_TYPES }
    isMetaStored = stored !== undefined
    committed = decodeState(store.get(STATE_KEY))
    staged = undefined
    book.reset()
  }

  reload()
  const rules = createRules(options.rules, { keyTypes: () => meta.keyTypes, validators: book.all })
  const snapshotOptions: SnapshotOptions = {
    ...SNAPSHOT_DEFAULTS,
    ...(rules.name === 'v0.38' ? { interval: 0 } : {}),
    ...options.snapshots,
  }
  // Without them the application answers as one that knows none, as the reference's.
  const hasSnapshots = snapshotOptions.interval > 0
  const taker = createSnapshotTaker(snapshotOptions, { store, rules: rules.name, logger })
  const restorer = createSnapshotRestorer({ maxBytes: snapshotOptions.maxBytes, rules: rules.name }, store)

  /** The state that a caller sees, and that the next block starts from. */
  const visible = (): AppState => (rules.showsUncommitted ? (staged?.state ?? committed) : committed)

  async function write(ops: readonly StorageOp[]): Promise<void> {
    const record: StorageOp = { type: 'put', key: META_KEY, value: encodeMeta(meta) }
    await store.write(isMetaStored ? ops : [record, ...ops])
    isMetaStored = true
  }

  function punishments(misbehavior: RequestFinalizeBlock['misbehavior']): ValidatorUpdate[] {
    const updates: ValidatorUpdate[] = []
    for (const { type, validator } of misbehavior) {
      if (type !== MisbehaviorType.duplicateVote) continue
      const known = book.byAddress(validator.address)
      if (known !== undefined) updates.push({ pubKey: known.pubKey, power: validator.power - 1n })
      else if (rules.requiresKnownValidators) {
        const address = bytesToHex(validator.address)
        throw new KvStoreError(
          KVSTORE_ERRORS.unknownValidator,
          `wanted to punish validator ${address} but cannot find it`,
          { data: { address } },
        )
      }
    }
    return updates
  }

  function execute({ txs, misbehavior, height }: RequestFinalizeBlock) {
    const updates = punishments(misbehavior)
    const writes: StorageOp[] = []
    const txResults: ExecTxResult[] = []
    let { size } = visible()
    let fault: string | undefined
    for (const tx of txs) {
      const action = rules.action(tx)
      if (action.kind === 'invalid') {
        txResults.push(refusedResult(action.reason))
        continue
      }
      if (action.kind === 'validator') updates.push(action.update)
      else if (action.kind === 'pair') writes.push({ type: 'put', key: pairKey(action.key), value: action.value })
      else fault ??= action.reason
      txResults.push(executedResult(rules.eventPair(tx)))
      size += 1
    }
    const validatorUpdates = rules.settle(updates)
    const state = { size, height }
    staged = { state, updates: validatorUpdates, writes, fault }
    return { txResults, validatorUpdates, appHash: appHashOf(state) }
  }

  function query({ path, data, prove }: RequestQuery): Partial<ResponseQuery> {
    if (path === '/val') {
      return { key: data, value: store.get(concatBytes(VALIDATOR_PATH_PREFIX, data)) ?? EMPTY_BYTES }
    }
    const value = store.get(pairKey(data))
    return {
      log: value === undefined ? 'does not exist' : 'exists',
      index: prove ? -1 : 0,
      key: data,
      value: value ?? EMPTY_BYTES,
      height: visible().height,
    }
  }

  return {
    info: async () => {
      await book.load()
      const state = visible()
      return {
        data: `{"size":${state.size}}`,
        version: ABCI_VERSION,
        appVersion: APP_VERSION,
        lastBlockHeight: state.height,
        lastBlockAppHash: appHashOf(state),
      }
    },
    query,
    checkTx: ({ tx }) => (rules.accepts(tx) ? { code: CODE.ok, gasWanted: 1n } : { code: CODE.invalidFormat }),
    initChain: async ({ validators, consensusParams }) => {
      await book.load()
      meta = { ...meta, keyTypes: consensusParams?.validator?.pubKeyTypes ?? meta.keyTypes }
      isMetaStored = false
      await write(validators.map(book.change))
      return { appHash: appHashOf(visible()) }
    },
    prepareProposal: ({ txs }) => ({ txs: txs.filter(rules.accepts).map(rules.proposed) }),
    processProposal: ({ txs }) => ({
      status: txs.every(rules.accepts) ? ProposalStatus.accept : ProposalStatus.reject,
    }),
    extendVote: () => ({}),
    verifyVoteExtension: () => ({ status: 1 }),
    finalizeBlock: (request) => (book.isLoaded() ? execute(request) : book.load().then(() => execute(request))),
    commit: async () => {
      const block = staged
      if (block?.fault !== undefined) throw new KvStoreError(KVSTORE_ERRORS.badTransaction, block.fault)
      const { state, updates, writes } = block ?? { state: committed, updates: [], writes: [] }
      await write([...updates.map(book.change), ...writes, { type: 'put', key: STATE_KEY, value: encodeState(state) }])
      committed = state
      staged = undefined
      taker.committed(state)
      const retains = retainBlocks > 0 && state.height >= retainBlocks
      return { retainHeight: retains ? state.height - retainBlocks + 1 : 0 }
    },
    listSnapshots: async () => ({ snapshots: await taker.list() }),
    loadSnapshotChunk: ({ height, format, chunk }) => ({ chunk: taker.load(height, format, chunk) }),
    offerSnapshot: (request) => (hasSnapshots ? { result: restorer.offer(request) } : {}),
    applySnapshotChunk: async (request) => {
      if (!hasSnapshots) return {}
      const { response, ops } = await restorer.apply(request)
      if (ops !== undefined) {
        await store.write(ops)
        reload()
        await book.load()
      }
      return response
    },
    close: async () => {
      await taker.list()
      await store.close()
    },
  }
}

function readMeta(store: KeyValueStorage, { rules, logger = noopLogger }: KvStoreOptions): Meta | undefined {
  const record = store.get(META_KEY)
  const meta = record === undefined ? undefined : decodeMeta(record)
  if (meta !== undefined && meta.rules !== rules) {
    throw new KvStoreError(
      KVSTORE_ERRORS.otherRules,
      `the state was made under the rules "${meta.rules}" and cannot be opened under "${rules}"`,
      { data: { stored: meta.rules, wanted: rules } },
    )
  }
  // The Go node writes no such record. Whatever it committed means the same under both rules, so the document's may take over.
  if (meta === undefined && rules === 'document' && store.get(STATE_KEY) !== undefined) {
    logger.warn('the state was written by the Go node; from here on the rules "document" apply')
  }
  return meta
}

export interface OpenOptions extends Omit<KvStoreOptions, 'store'> {
  /** The folder of the database; `kvstore.db` is made in it. In a node's home: `data`. */
  readonly dir: string
}

/** Opens the state in the reference's database layout. Rejects with a {@link KvStoreError}. */
export async function openKvStore(options: OpenOptions): Promise<KvStore> {
  const { dir, ...rest } = options
  const store = await openLevelStorage(join(dir, 'kvstore.db'))
  try {
    return createKvStore({ ...rest, store })
  } catch (error) {
    await store.close()
    throw error
  }
}
