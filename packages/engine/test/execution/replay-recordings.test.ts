import { createVirtualClock, noopLogger, noopMetrics } from '@org/runtime'
import { type Block, type BlockId, hashBlock, SignedMsgType, State, Vote } from '@org/types'
import {
  RequestExtendVote,
  RequestFinalizeBlock,
  RequestInitChain,
  RequestPrepareProposal,
  RequestProcessProposal,
  ResponseCommit,
  ResponseExtendVote,
  ResponseInitChain,
  ResponsePrepareProposal,
  ResponseProcessProposal,
  ResponseVerifyVoteExtension,
} from '@org/types/abci'
import { bytesToHex, equalBytes } from '@org/types/bytes'
import { expect, test } from 'vitest'
import { createEvidencePool, DEFAULT_EVIDENCE_OPTIONS } from '../../src/evidence/index.ts'
import { applyInitChain, initChainRequest } from '../../src/execution/handshake/init-chain.ts'
import {
  type BlockExecutor,
  createBlockExecutor,
  type ExecutionApp,
  makeGenesisState,
} from '../../src/execution/index.ts'
import { createNopMempool } from '../../src/mempool/index.ts'
import { createMemoryStore, createStateStore } from '../../src/store/index.ts'
import { recordedMessages } from './recorded-abci.ts'
import { contents, loadRecordedChain, type RecordedChain } from './recorded-chain.ts'

interface Asked {
  readonly finalize: RequestFinalizeBlock[]
  readonly process: RequestProcessProposal[]
  readonly prepare: RequestPrepareProposal[]
  readonly extend: RequestExtendVote[]
}

/** An application that returns the recorded answers, and keeps the requests. */
function recordedApp({ stateStore }: RecordedChain, asked: Asked): ExecutionApp {
  return {
    prepareProposal: (request) => {
      asked.prepare.push(request)
      return Promise.resolve(ResponsePrepareProposal.create({ txs: request.txs }))
    },
    processProposal: (request) => {
      asked.process.push(request)
      return Promise.resolve(ResponseProcessProposal.create({ status: 1 }))
    },
    extendVote: (request) => {
      asked.extend.push(request)
      return Promise.resolve(ResponseExtendVote.create())
    },
    verifyVoteExtension: () => Promise.resolve(ResponseVerifyVoteExtension.create({ status: 1 })),
    finalizeBlock: (request) => {
      asked.finalize.push(request)
      return Promise.resolve(stateStore.loadFinalizeBlockResponse(request.height))
    },
    commit: () => Promise.resolve(ResponseCommit.create()),
  }
}

interface BeforeBlock {
  readonly state: State
  readonly block: Block
  readonly blockId: BlockId
  readonly executor: BlockExecutor
}

interface Replay {
  /** The application's answer to InitChain. Default: an answer that contains only the app hash of the first header. */
  readonly initChain?: ResponseInitChain
  readonly beforeBlock?: (given: BeforeBlock) => Promise<void>
  readonly offered?: (height: number) => readonly Uint8Array[]
}

async function replayAll(chain: RecordedChain, { initChain, beforeBlock, offered }: Replay = {}) {
  const { genesis, blockStore } = chain
  const [db, evidenceDb] = [createMemoryStore(), createMemoryStore()]
  const stateStore = createStateStore({}, { db })
  const first = chain.block(genesis.initialHeight).block.header
  const start = makeGenesisState(genesis)
  const version = { ...start.version, consensus: { ...start.version.consensus, app: first.version.app } }
  const response = initChain ?? ResponseInitChain.create({ appHash: first.appHash })
  let state = applyInitChain({ ...start, version }, genesis, response)
  await stateStore.save(state)
  const common = { clock: createVirtualClock(), logger: noopLogger, metrics: noopMetrics, stateStore, blockStore }
  const evidencePool = await createEvidencePool(DEFAULT_EVIDENCE_OPTIONS, { ...common, db: evidenceDb, state })
  const asked: Asked = { finalize: [], process: [], prepare: [], extend: [] }
  const mempool = {
    ...createNopMempool(),
    reapMaxBytesMaxGas: () => Promise.resolve([...(offered?.(state.lastBlockHeight + 1) ?? [])]),
  }
  const app = recordedApp(chain, asked)
  const executor = createBlockExecutor({ blockTimeTolerance: 0n }, { ...common, app, mempool, evidencePool })
  for (let height = genesis.initialHeight; height <= blockStore.height(); height++) {
    const { block, blockId } = chain.block(height)
    await beforeBlock?.({ state, block, blockId, executor })
    state = await executor.applyBlock({ state, blockId, block })
  }
  await executor.durable()
  return { state, db, evidenceDb, asked }
}

/** Compares the state database after a replay with the recorded one. */
async function expectRecordedState(chain: RecordedChain, { state, db }: Awaited<ReturnType<typeof replayAll>>) {
  const recorded = chain.stateStore.load() as State
  expect(State.toJson(state)).toEqual(State.toJson(recorded))
  const ours = await contents(db)
  const theirs = await contents(chain.dbs.state as typeof db)
  const names = (keys: Iterable<string>): string[] => [...keys].map((key) => Buffer.from(key, 'hex').toString())
  expect(ours.size).toBeGreaterThan(3 * (recorded.lastBlockHeight - recorded.initialHeight))
  expect(names([...ours.keys()].filter((key) => ours.get(key) !== theirs.get(key)))).toEqual([])
  const missing = names([...theirs.keys()].filter((key) => !ours.has(key)))
  // Execution does not write these two keys, so the replayed database does not contain them.
  expect(missing.filter((key) => key !== 'genesisDoc' && key !== 'offlineStateSyncHeightKey')).toEqual([])
}

for (const [folder, dump] of [
  ['kvstore-single', 'db-dump.jsonl'],
  ['kvstore-four', 'db-dump-node0.jsonl'],
  ['kvstore-four', 'db-dump-node3.jsonl'],
] as const) {
  test(`golden: every block of ${folder}/${dump} leads to the recorded states, byte for byte`, async () => {
    const chain = await loadRecordedChain(folder, dump)
    const replay = await replayAll(chain)
    await expectRecordedState(chain, replay)
    const evidence = await contents(replay.evidenceDb)
    const recorded = await contents(chain.dbs.evidence as typeof replay.db)
    expect(recorded.size > 0).toBe(folder === 'kvstore-four')
    expect(Object.fromEntries(evidence)).toEqual(Object.fromEntries(recorded))
  })
}

test('golden: vote extensions and an initial height: states and ABCI requests are the recorded ones', async () => {
  const folder = 'e2e-voteext/abci-node0'
  const chain = await loadRecordedChain('e2e-voteext', 'db-dump-node0.jsonl')
  const [initRequest] = recordedMessages(folder, 'request', 'initChain')
  expect(RequestInitChain.encode(initChainRequest(chain.genesis))).toEqual(
    RequestInitChain.encode(initRequest as RequestInitChain),
  )
  const proposals = recordedMessages(folder, 'request', 'prepareProposal')
  const processed = recordedMessages(folder, 'request', 'processProposal')
  const extended = recordedMessages(folder, 'request', 'extendVote')
  const compared = { prepare: 0, process: 0, extend: 0 }
  const [initChain] = recordedMessages(folder, 'response', 'initChain')
  const replay = await replayAll(chain, {
    initChain: initChain as ResponseInitChain,
    offered: (height) => proposals.find((proposal) => proposal.height === height)?.txs ?? [],
    beforeBlock: async ({ state, block, executor }) => {
      const { height } = block.header
      const hash = hashBlock(block)
      const proposal = proposals.find((request) => request.height === height)
      const lastExtendedCommit = chain.blockStore.loadExtendedCommit(height - 1)
      if (proposal !== undefined && lastExtendedCommit !== undefined) {
        compared.prepare++
        const { proposerAddress } = proposal
        await executor.createProposalBlock({ height, state, lastExtendedCommit, proposerAddress })
      }
      if (processed.some((request) => equalBytes(request.hash, hash))) {
        compared.process++
        expect(await executor.processProposal(block, state)).toBe(true)
      }
      if (extended.some((request) => equalBytes(request.hash, hash))) {
        compared.extend++
        const blockId = { hash, partSetHeader: { total: 1, hash } }
        await executor.extendVote(Vote.create({ type: SignedMsgType.precommit, height, blockId }), block, state)
      }
    },
  })
  await expectRecordedState(chain, replay)
  const { asked } = replay
  for (const request of recordedMessages(folder, 'request', 'finalizeBlock')) {
    const ours = asked.finalize.find(({ height }) => height === request.height) as RequestFinalizeBlock
    expect(bytesToHex(RequestFinalizeBlock.encode(ours))).toBe(bytesToHex(RequestFinalizeBlock.encode(request)))
  }
  for (const ours of asked.process) {
    const request = processed.find(({ hash }) => equalBytes(hash, ours.hash)) as RequestProcessProposal
    expect(bytesToHex(RequestProcessProposal.encode(ours))).toBe(bytesToHex(RequestProcessProposal.encode(request)))
  }
  for (const ours of asked.extend) {
    const request = extended.find(({ hash }) => equalBytes(hash, ours.hash)) as RequestExtendVote
    expect(bytesToHex(RequestExtendVote.encode(ours))).toBe(bytesToHex(RequestExtendVote.encode(request)))
  }
  for (const ours of asked.prepare) {
    const request = proposals.find(({ height }) => height === ours.height) as RequestPrepareProposal
    expect(bytesToHex(RequestPrepareProposal.encode(ours))).toBe(bytesToHex(RequestPrepareProposal.encode(request)))
  }
  expect(compared.prepare).toBeGreaterThan(0)
  expect(compared.process).toBeGreaterThan(0)
  expect(compared.extend).toBeGreaterThan(0)
})
