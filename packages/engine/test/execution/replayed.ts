import { createVirtualClock, noopLogger, noopMetrics } from '@org/runtime'
import type { State } from '@org/types'
import { ResponseCommit, ResponseInitChain } from '@org/types/abci'
import { applyInitChain } from '../../src/execution/handshake/init-chain.ts'
import { type CommitApp, commitBlock, createExecutionMetrics, makeGenesisState } from '../../src/execution/index.ts'
import { createMemoryStore, createStateStore, type StateStore } from '../../src/store/index.ts'
import type { RecordedChain } from './recorded-chain.ts'

export const quiet = { clock: createVirtualClock(), logger: noopLogger, metrics: noopMetrics }

/** Returns the recorded answers to FinalizeBlock. */
export function recordedCommitApp({ stateStore }: RecordedChain): CommitApp {
  return {
    finalizeBlock: ({ height }) => Promise.resolve(stateStore.loadFinalizeBlockResponse(height)),
    commit: () => Promise.resolve(ResponseCommit.create()),
  }
}

/** The state before the first block, after the recorded application's answer to InitChain. */
export function recordedGenesisState({ genesis, block }: RecordedChain): State {
  const first = block(genesis.initialHeight).block.header
  const start = makeGenesisState(genesis)
  const version = { ...start.version, consensus: { ...start.version.consensus, app: first.version.app } }
  return applyInitChain({ ...start, version }, genesis, ResponseInitChain.create({ appHash: first.appHash }))
}

/** A state store after the first `height` blocks of a recording. */
export async function stateAt(chain: RecordedChain, height: number): Promise<{ state: State; stateStore: StateStore }> {
  const stateStore = createStateStore({}, { db: createMemoryStore() })
  let state = recordedGenesisState(chain)
  await stateStore.save(state)
  const modules = {
    ...quiet,
    metrics: createExecutionMetrics(quiet.metrics),
    app: recordedCommitApp(chain),
    stateStore,
    blockStore: chain.blockStore,
  }
  for (let at = chain.genesis.initialHeight; at <= height; at++) {
    const { block, blockId } = chain.block(at)
    state = await commitBlock({ state, block, blockId }, modules)
  }
  return { state, stateStore }
}
