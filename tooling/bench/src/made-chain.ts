import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AbciClient, createConnections } from '@org/abci'
import { commitBlock, createExecutionMetrics, makeGenesisState, makeNextBlock } from '@org/engine/execution'
import { createBlockStore, createStateStore, DB_NAMES, openLevelStore } from '@org/engine/storage'
import { createKvStore, type KvStore } from '@org/kvstore'
import { createSystemClock, noopLogger, noopMetrics } from '@org/runtime'
import { makeCommit, makeKeys, NO_COMMIT } from '@org/test-kit'
import {
  completeGenesis,
  defaultConsensusParams,
  formatGenesis,
  type GenesisDoc,
  makeBlockParts,
  proposerOf,
  type State,
  validatorToUpdate,
} from '@org/types'
import { RequestInfo, RequestInitChain } from '@org/types/abci'
import { addressOf, hashFromByteSlices, type PrivateKey, publicKeyOf } from '@org/types/crypto'
import { makeTransactions } from './rpc.ts'

export interface MadeChainOptions {
  readonly validators: number
  readonly height: number
  /** The approximate size of the transactions of one block, in bytes. */
  readonly blockBytes: number
  /**
   * The application that executes the blocks. `makeChain` does not close it. Default: a kvstore in memory with the
   * rules of the reference.
   */
  readonly app?: KvStore
  /** A function that is called after each block is committed, with the height of the block. */
  readonly onBlock?: (height: number) => Promise<void>
}

const CHAIN_ID = 'made-chain'
const SECOND = 1_000_000_000n
const TX_SIZE = 1000

function makeGenesis(keys: readonly PrivateKey[]): GenesisDoc {
  return completeGenesis({
    // The genesis time is in the past, because each block has a later time than the block before. If the genesis time
    // were the present time, the blocks would be in the future.
    genesisTime: 1_750_000_000n * SECOND,
    chainId: CHAIN_ID,
    initialHeight: 1,
    consensusParams: defaultConsensusParams(),
    validators: keys.map(publicKeyOf).map((pubKey) => ({
      address: addressOf(pubKey),
      pubKey,
      power: 10n,
      name: '',
    })),
    appHash: new Uint8Array(0),
    appState: '',
  })
}

/**
 * Writes the genesis and the databases of a chain to `home`, without running a node. Every validator has signed every
 * block.
 */
export async function makeChain(home: string, options: MadeChainOptions): Promise<void> {
  const { height, blockBytes, onBlock } = options
  const keys = makeKeys(options.validators, 'validator')
  const genesis = makeGenesis(keys)
  await mkdir(join(home, 'config'), { recursive: true })
  await writeFile(join(home, 'config/genesis.json'), formatGenesis(genesis))
  const open = (name: string) => openLevelStore(join(home, 'data', `${name}.db`))
  const databases = { blocks: await open(DB_NAMES.blocks), state: await open(DB_NAMES.state) }
  const kvstore = options.app ?? createKvStore({ rules: 'v0.38', logger: noopLogger })
  const connections = createConnections({ kind: 'local', app: kvstore })
  await connections.start()
  const app = connections.consensus
  const modules = {
    app,
    blockStore: createBlockStore({}, { db: databases.blocks }),
    stateStore: createStateStore({}, { db: databases.state }),
    clock: createSystemClock(),
    logger: noopLogger,
    metrics: createExecutionMetrics(noopMetrics),
  }
  let state = await genesisState(genesis, app)
  await modules.stateStore.save(state)
  let lastCommit = NO_COMMIT
  for (let at = 1; at <= height; at++) {
    const { address } = proposerOf(state.validators) as NonNullable<ReturnType<typeof proposerOf>>
    const txs = makeTransactions(Math.floor(blockBytes / TX_SIZE), TX_SIZE, `h${at}`)
    const block = makeNextBlock(state, { height: at, txs, lastCommit, evidence: [], proposerAddress: address })
    const { parts, blockId } = makeBlockParts(block)
    const { validators } = state.validators
    const time = block.header.time + SECOND
    const commit = makeCommit(keys, { chainId: CHAIN_ID, height: at, blockId, validators, time })
    await modules.blockStore.saveBlock({ block, parts, seenCommit: commit })
    state = await commitBlock({ state, blockId, block }, modules)
    lastCommit = commit
    await onBlock?.(at)
  }
  await connections.stop()
  if (options.app === undefined) await kvstore.close()
  await Promise.all([databases.blocks.close(), databases.state.close()])
}

async function genesisState(genesis: GenesisDoc, app: AbciClient): Promise<State> {
  const state = makeGenesisState(genesis)
  const { appVersion } = await app.info(RequestInfo.create())
  const { appHash } = await app.initChain(
    RequestInitChain.create({
      time: genesis.genesisTime,
      chainId: genesis.chainId,
      consensusParams: genesis.consensusParams,
      validators: state.validators.validators.map(validatorToUpdate),
      initialHeight: 1,
    }),
  )
  const version = { ...state.version, consensus: { ...state.version.consensus, app: appVersion } }
  return { ...state, version, appHash, lastResultsHash: hashFromByteSlices([]) }
}
