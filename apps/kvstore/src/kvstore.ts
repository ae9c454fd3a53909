import type { MethodName, RequestOf, ResponseOf } from '@org/abci'
import { messageOf, noopLogger } from '@org/runtime'
import {
  ABCI_VERSION,
  ProposalStatus,
  type RequestFinalizeBlock,
  type RequestQuery,
  type ResponseFinalizeBlock,
  type ResponseQuery,
  VerifyStatus,
} from '@org/types/abci'
import { EMPTY_BYTES } from '@org/types/schema'
import { APP_VERSION, CODE } from './codes.ts'
import { KVSTORE_ERRORS, KvStoreError } from './errors.ts'
import { executeBlock, type Staged } from './execution.ts'
import { ANY_KEY_TYPES, encodeMeta, type Meta, readMeta } from './meta.ts'
import type { KvStoreOptions } from './options.ts'
import { createRules, DEFAULT_RULES, type Rules, type RulesName } from './rules/index.ts'
import {
  CHUNK_BYTES,
  createMemoryArchive,
  createSnapshotRestorer,
  createSnapshotTaker,
  type SnapshotOptions,
} from './snapshots/index.ts'
import {
  type AppState,
  appHashOf,
  decodeState,
  encodeState,
  META_KEY,
  pairKey,
  STATE_KEY,
  validatorKey,
} from './state.ts'
import { createMemoryStorage, type StorageOp } from './store/index.ts'
import { createValidatorBook } from './validators.ts'

/** The demo application. Its methods are those of {@link Application}; `close` also closes the storage. */
export type KvStore = {
  readonly [M in MethodName]: (request: RequestOf<M>) => Partial<ResponseOf<M>> | Promise<Partial<ResponseOf<M>>>
} & {
  /** Returns the name of the rules by which the application executes transactions. */
  readonly rules: () => RulesName
  readonly close: () => Promise<void>
}

const SNAPSHOT_DEFAULTS: SnapshotOptions = {
  interval: 100,
  keep: 2,
  chunkBytes: CHUNK_BYTES,
  maxBytes: 32 * 1024 * 1024,
}

/**
 * Creates the application over an open storage. Throws `KVSTORE_OTHER_RULES` or `KVSTORE_BAD_STATE`. The function is
 * long because it contains the list of the ABCI methods.
 */
export function createKvStore(options: KvStoreOptions): KvStore {
  const { store = createMemoryStorage(), retainBlocks = 0, logger = noopLogger } = options
  const wanted = options.rules ?? DEFAULT_RULES
  const book = createValidatorBook(store)
  let meta: Meta
  let rules: Rules
  let isMetaStored: boolean
  let committed: AppState
  let staged: Staged | undefined

  function reload(): void {
    const stored = readMeta(store, { rules: wanted, logger })
    meta = stored ?? { rules: wanted, keyTypes: ANY_KEY_TYPES }
    rules = createRules(meta.rules, { keyTypes: () => meta.keyTypes, validators: book.all })
    isMetaStored = stored !== undefined
    committed = decodeState(store.get(STATE_KEY))
    staged = undefined
    book.reset()
  }

  reload()
  const snapshotOptions: SnapshotOptions = {
    ...SNAPSHOT_DEFAULTS,
    ...(wanted === 'v0.38' ? { interval: 0 } : {}),
    ...options.snapshots,
  }
  // If snapshots are off, the application answers as the reference's kvstore does, which has no snapshots.
  const hasSnapshots = snapshotOptions.interval > 0
  /** The state that `Info` and `Query` report, and on which the next block is executed. */
  const visible = (): AppState => (rules.showsUncommitted ? (staged?.state ?? committed) : committed)

  const { archive = createMemoryArchive(snapshotOptions.maxBytes) } = options
  const taker = createSnapshotTaker(snapshotOptions, { store, archive, rules: () => rules.name, logger })
  const ready = taker.removeAbove(visible().height).catch((error: unknown) => {
    logger.error('Failed to remove old snapshots', { error: messageOf(error) })
  })
  const restorer = createSnapshotRestorer(
    { rules: wanted },
    {
      store,
      logger,
      beforeCommit: taker.clear,
      afterCommit: async () => {
        reload()
        await book.load()
      },
    },
  )

  async function write(ops: readonly StorageOp[]): Promise<void> {
    const record: StorageOp = { type: 'put', key: META_KEY, value: encodeMeta(meta) }
    await store.write(isMetaStored ? ops : [record, ...ops])
    isMetaStored = true
  }

  function execute(request: RequestFinalizeBlock): Partial<ResponseFinalizeBlock> {
    const { staged: block, response } = executeBlock(request, visible(), { rules, book })
    staged = block
    return response
  }

  function query({ path, data, prove }: RequestQuery): Partial<ResponseQuery> {
    if (path === '/val') {
      return { key: data, value: store.get(validatorKey(data)) ?? EMPTY_BYTES }
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
    rules: () => rules.name,
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
    verifyVoteExtension: () => ({ status: VerifyStatus.accept }),
    finalizeBlock: (request) => (book.isLoaded() ? execute(request) : book.load().then(() => execute(request))),
    commit: async () => {
      const block = staged
      if (block?.fault !== undefined) throw new KvStoreError(KVSTORE_ERRORS.badTransaction, block.fault)
      const { state, updates, writes } = block ?? { state: committed, updates: [], writes: [] }
      await write([...updates.map(book.change), ...writes, { type: 'put', key: STATE_KEY, value: encodeState(state) }])
      committed = state
      staged = undefined
      const retains = retainBlocks > 0 && state.height >= retainBlocks
      return { retainHeight: retains ? state.height - retainBlocks + 1 : 0 }
    },
    listSnapshots: async () => {
      await ready
      return { snapshots: await taker.list(committed.height) }
    },
    loadSnapshotChunk: async ({ height, format, chunk }) => ({ chunk: await taker.load(height, format, chunk) }),
    offerSnapshot: async (request) => (hasSnapshots ? { result: await restorer.offer(request) } : {}),
    applySnapshotChunk: (request) => (hasSnapshots ? restorer.apply(request) : {}),
    close: async () => {
      await Promise.all([ready, taker.stop(), restorer.close()])
      await store.close()
    },
  }
}
