import {
  Block,
  BlockIdFlag,
  commitToExtendedCommit,
  type EventData,
  hashHeader,
  hashValidators,
  MAX_PROPOSED_ITEMS,
  maxDataBytes,
  maxProposedTxs,
  type State,
  voteSignBytes,
} from '@org/types'
import { ResponseCommit, ResponseFinalizeBlock } from '@org/types/abci'
import { utf8ToBytes } from '@org/types/bytes'
import { publicKeyOf } from '@org/types/crypto'
import { expect, test } from 'vitest'
import { decodeCandidate } from '../../src/consensus/machine/proposal-block.ts'
import {
  type BlockExecutor,
  createVerifiedVotes,
  EXECUTION_ERRORS,
  type ExecutionApp,
  type ExecutorModules,
} from '../../src/execution/index.ts'
import { validateBlock } from '../../src/execution/validate-block.ts'
import { createNopMempool } from '../../src/mempool/index.ts'
import { noEvidence, plainExecutor } from './plain-executor.ts'
import * as testChain from './test-chain.ts'

interface SetUp {
  readonly app?: Partial<ExecutionApp>
  readonly modules?: Partial<ExecutorModules>
  readonly tolerance?: bigint
  readonly validators?: number
}

async function setUp({ app, modules, tolerance = 0n, validators = 4 }: SetUp = {}) {
  const keys = testChain.makeKeys(validators)
  const genesis = testChain.makeGenesis(keys)
  const stores = testChain.memoryStores()
  const state = testChain.genesisState(genesis)
  await stores.stateStore.save(state)
  const executor = plainExecutor(stores, { app: testChain.agreeableApp(app), ...modules }, tolerance)
  return { keys, genesis, state, executor, ...stores }
}

/** Sets up a chain after two blocks, because the last commit is checked only from the second block on. */
async function atThree(options: SetUp = {}) {
  const chain = await setUp(options)
  const first = testChain.makeBlockOn(chain.state, chain.keys)
  const afterOne = await chain.executor.applyBlock({ state: chain.state, ...first })
  const second = testChain.makeBlockOn(afterOne, chain.keys, { lastCommit: first.commit, txs: [utf8ToBytes('a=b')] })
  const state = await chain.executor.applyBlock({ state: afterOne, ...second })
  const third = testChain.makeBlockOn(state, chain.keys, { lastCommit: second.commit })
  return { ...chain, state, second, third }
}

const changed = (block: Block, header: Partial<Block['header']>): Block => ({
  ...block,
  header: { ...block.header, ...header },
})

test('default: blocks are applied and states follow', async () => {
  const { state, third, executor, stateStore } = await atThree()
  expect([state.lastBlockHeight, ...state.appHash]).toEqual([2, 2])
  expect(state.lastBlockTime).toBe(1_700_000_001_001_000_000n)
  await executor.validateBlock(state, third.block)
  expect(stateStore.load()).toEqual(state)
})

test("error: refuses a block that does not follow the state, with the reference's text", async () => {
  const { state, third, executor } = await atThree()
  const other = new Uint8Array(32).fill(1)
  const cases: readonly (readonly [Partial<Block['header']>, RegExp])[] = [
    [{ version: { block: 11n, app: 3n } }, /^wrong Block.Header.Version. Expected \{11 0\}, got \{11 3\}$/],
    [{ chainId: 'x' }, /^wrong Block.Header.ChainID. Expected made, got x$/],
    [{ height: 4 }, /^wrong Block.Header.Height. Expected 3, got 4$/],
    [
      { lastBlockId: { hash: other, partSetHeader: { total: 1, hash: other } } },
      /^wrong Block.Header.LastBlockID. {2}Exp/,
    ],
    [{ appHash: other }, /^wrong Block.Header.AppHash. {2}Expected 02, got 0101/],
    [{ consensusHash: other }, /^wrong Block.Header.ConsensusHash. {2}Expected [0-9A-F]{64}, got (01){32}$/],
    [{ lastResultsHash: other }, /^wrong Block.Header.LastResultsHash. {2}Expected/],
    [{ validatorsHash: other }, /^wrong Block.Header.ValidatorsHash. {2}Expected/],
    [{ nextValidatorsHash: other }, /^wrong Block.Header.NextValidatorsHash. {2}Expected/],
    [{ proposerAddress: new Uint8Array(20) }, /^block.Header.ProposerAddress 0{40} is not a validator$/],
    [{ time: state.lastBlockTime }, /^block time .* not greater than last block time/],
    [{ time: third.block.header.time + 1n }, /^invalid block time. Expected 2023-11-14 22:13:22.002 \+0000 UTC, got/],
  ]
  for (const [header, text] of cases) {
    await expect(executor.validateBlock(state, changed(third.block, header))).rejects.toThrow(text)
  }
  await expect(executor.validateBlock(state, { ...third.block, lastCommit: undefined })).rejects.toMatchObject({
    code: 'EXECUTION_INVALID_BLOCK',
    message: 'nil LastCommit',
  })
})

test('error: refuses an invalid first block', async () => {
  const { state, keys, executor } = await setUp()
  const { block } = testChain.makeBlockOn(state, keys)
  const late = changed(block, { time: block.header.time + 1n })
  await expect(executor.validateBlock(state, late)).rejects.toThrow(
    'block time 2023-11-14 22:13:20.000000001 +0000 UTC is not equal to genesis time 2023-11-14 22:13:20 +0000 UTC',
  )
  await expect(executor.validateBlock(state, changed(block, { height: 2 }))).rejects.toThrow()
})

test('error: refuses a last commit with too little power, or a wrong signature', async () => {
  const { state, third, second, executor, keys } = await atThree()
  const { commit } = second
  const absent = {
    blockIdFlag: BlockIdFlag.absent,
    validatorAddress: new Uint8Array(0),
    timestamp: -62135596800000000000n,
    signature: new Uint8Array(0),
  }
  const few = { ...commit, signatures: commit.signatures.map((sig, index) => (index < 2 ? absent : sig)) }
  const short = testChain.makeBlockOn(state, keys, { lastCommit: few })
  await expect(executor.validateBlock(state, short.block)).rejects.toThrow(
    'invalid commit -- insufficient voting power: got 20, needed more than 26',
  )
  const forged = {
    ...commit,
    signatures: commit.signatures.map((sig, index) => (index === 3 ? { ...sig, signature: new Uint8Array(64) } : sig)),
  }
  const wrong = testChain.makeBlockOn(state, keys, { lastCommit: forged })
  await expect(executor.validateBlock(state, wrong.block)).rejects.toThrow('wrong signature (#3)')
  expect(third.block.header.height).toBe(3)
})

test('behavior: a commit that was verified before is not verified again', async () => {
  const { state, second, executor, keys } = await atThree()
  const signatures = second.commit.signatures.map((sig) => ({ ...sig, signature: new Uint8Array(64) }))
  const forged = testChain.makeBlockOn(state, keys, { lastCommit: { ...second.commit, signatures } })
  await executor.validateBlock(state, forged.block, { lastCommitIsVerified: true })
  await expect(executor.applyBlock({ state, ...forged })).rejects.toThrow('wrong signature (#0)')
  expect((await executor.applyVerifiedBlock({ state, ...forged })).lastBlockHeight).toBe(3)
})

test('behavior: verified votes are not verified again, but other votes are verified', async () => {
  const verifiedVotes = createVerifiedVotes({ capacity: 100 })
  const { state, second, executor, keys, genesis } = await atThree({ modules: { verifiedVotes } })
  // A wrong signature that is remembered as valid. The block is accepted, because a remembered signature is not
  // verified again.
  const bad = second.commit.signatures[1] as (typeof second.commit.signatures)[number]
  const forged = { ...bad, signature: new Uint8Array(64).fill(9) }
  const lastCommit = {
    ...second.commit,
    signatures: second.commit.signatures.map((sig, index) => (index === 1 ? forged : sig)),
  }
  const { block } = testChain.makeBlockOn(state, keys, { lastCommit })
  await expect(executor.validateBlock(state, block)).rejects.toThrow('wrong signature (#1)')
  const validator = state.lastValidators.validators[1]
  if (validator === undefined) throw new Error('four validators')
  const vote = {
    type: 2 as const,
    height: 2,
    round: 0,
    blockId: second.blockId,
    timestamp: forged.timestamp,
    validatorAddress: validator.address,
    validatorIndex: 1,
    signature: forged.signature,
    extension: new Uint8Array(0),
    extensionSignature: new Uint8Array(0),
  }
  const message = voteSignBytes(genesis.chainId, vote)
  const publicKey = publicKeyOf(testChain.keyOf(keys, validator))
  verifiedVotes.remember({ publicKey, message, signature: forged.signature })
  await executor.validateBlock(state, block)
})

test('behavior: the local clock is compared only if it is given', async () => {
  const { state, third, executor } = await atThree({ tolerance: 1_000n })
  const now = third.block.header.time - 1_000n
  await expect(executor.validateBlock(state, third.block, { now })).rejects.toThrow('is too far in the future')
  await executor.validateBlock(state, third.block, { now: now + 1n })
  await executor.validateBlock(state, third.block)
})

test('behavior: the steps of a commit have a fixed order', async () => {
  const steps: string[] = []
  const note =
    (name: string) =>
    <T>(value: T) =>
    (): Promise<T> => {
      steps.push(name)
      return Promise.resolve(value)
    }
  const response = ResponseFinalizeBlock.create({ appHash: Uint8Array.of(1) })
  const published: EventData['type'][] = []
  const { executor, state, keys } = await setUp({
    app: { finalizeBlock: note('FinalizeBlock')(response), commit: note('Commit')(ResponseCommit.create()) },
    modules: {
      mempool: {
        ...createNopMempool(),
        lock: () => {
          steps.push('lock')
          return Promise.resolve(() => void steps.push('unlock'))
        },
        flushAppConn: note('flush')(undefined),
        update: note('mempool')(undefined),
      },
      evidencePool: { ...noEvidence, update: note('evidence')(undefined) },
      indexer: { index: note('index')(undefined) },
      events: { publish: ({ type }) => void published.push(type) },
      onStep: (step) => void steps.push(`(${step})`),
    },
  })
  await executor.applyBlock({ state, ...testChain.makeBlockOn(state, keys) })
  await executor.durable()
  expect(steps.join(' ')).toBe(
    'FinalizeBlock (finalize) (save-responses) lock flush Commit (commit-app) mempool unlock (update-mempool) ' +
      'evidence (update-evidence) index (publish) (index) (save-state) (prune)',
  )
  expect(published).toEqual(['NewBlock', 'NewBlockHeader', 'NewBlockEvents'])
})

test.each(['applyBlock', 'applyVerifiedBlock'] as const)(
  'behavior: %s gives an application outside this process a block only when it is stored',
  async (method) => {
    const order: string[] = []
    const app: Partial<ExecutionApp> = {
      finalizeBlock: async (request) => {
        order.push('executed')
        return testChain.agreeableApp().finalizeBlock(request)
      },
    }
    const { state, keys, executor } = await setUp({ app })
    const first = testChain.makeBlockOn(state, keys)
    const stored = Promise.withResolvers<void>()
    const applied = executor[method]({ state, ...first, steps: { 'save-block': () => stored.promise } })
    // The execution must wait until `stored` resolves. The loop gives the executor five turns of the event loop. If the
    // execution did not wait for `stored`, it would end during these turns.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    order.push('stored')
    stored.resolve()
    await applied
    expect(order).toEqual(['stored', 'executed'])
  },
)

test('behavior: the mempool is unlocked when Commit fails', async () => {
  let locked = false
  const mempool = {
    ...createNopMempool(),
    lock: () => {
      locked = true
      return Promise.resolve(() => {
        locked = false
      })
    },
  }
  const commit = (): Promise<ResponseCommit> => Promise.reject(new Error('gone'))
  const { executor, state, keys } = await setUp({ app: { commit }, modules: { mempool } })
  await expect(executor.applyBlock({ state, ...testChain.makeBlockOn(state, keys) })).rejects.toThrow('gone')
  expect(locked).toBe(false)
})

test('error: refuses another number of results from the application', async () => {
  const finalizeBlock = (): Promise<ResponseFinalizeBlock> => Promise.resolve(ResponseFinalizeBlock.create())
  const { executor, state, keys } = await setUp({ app: { finalizeBlock } })
  const block = testChain.makeBlockOn(state, keys, { txs: [utf8ToBytes('a')] })
  await expect(executor.applyBlock({ state, ...block })).rejects.toThrow(
    'expected tx results length to match size of transactions in block. Expected 1, got 0',
  )
})

async function applyUpdate(response: Partial<ResponseFinalizeBlock>): Promise<State> {
  const full = ResponseFinalizeBlock.create({ appHash: Uint8Array.of(1), ...response })
  const { executor, state, keys } = await setUp({ app: { finalizeBlock: () => Promise.resolve(full) } })
  return executor.applyBlock({ state, ...testChain.makeBlockOn(state, keys) })
}

test('behavior: changes of validators count two heights later, changes of parameters one height later', async () => {
  const pubKey = publicKeyOf(testChain.makeKeys(9)[8] as ReturnType<typeof testChain.makeKeys>[number])
  const next = await applyUpdate({ validatorUpdates: [{ pubKey, power: 5n }] })
  expect(next.validators.validators.length).toBe(4)
  expect(next.nextValidators.validators.length).toBe(5)
  expect(next.lastHeightValidatorsChanged).toBe(3)
  expect(next.lastHeightConsensusParamsChanged).toBe(1)
  const none = { block: undefined, evidence: undefined, validator: undefined, version: undefined, abci: undefined }
  const params = await applyUpdate({ consensusParamUpdates: { ...none, version: { app: 7n } } })
  expect(params.version.consensus.app).toBe(7n)
  expect(params.lastHeightConsensusParamsChanged).toBe(2)
  expect(hashValidators(params.nextValidators)).toEqual(hashValidators(params.validators))
})

test('error: refuses invalid updates', async () => {
  const pubKey = publicKeyOf(testChain.makeKeys(1)[0] as ReturnType<typeof testChain.makeKeys>[number])
  await expect(applyUpdate({ validatorUpdates: [{ pubKey, power: -1n }] })).rejects.toThrow(
    "voting power can't be negative",
  )
  const secp = { type: 'secp256k1', bytes: new Uint8Array(33).fill(2) } as const
  await expect(applyUpdate({ validatorUpdates: [{ pubKey: secp, power: 1n }] })).rejects.toThrow(
    'is using pubkey secp256k1, which is unsupported for consensus',
  )
  const none = { block: undefined, evidence: undefined, validator: undefined, version: undefined, abci: undefined }
  await expect(
    applyUpdate({ consensusParamUpdates: { ...none, block: { maxBytes: 0n, maxGas: -1n } } }),
  ).rejects.toThrow('validating new consensus params: ')
  await expect(
    applyUpdate({ consensusParamUpdates: { ...none, abci: { voteExtensionsEnableHeight: 1 } } }),
  ).rejects.toThrow('updating consensus params: vote extensions cannot be updated to a past or current height')
})

function proposal(executor: BlockExecutor, chain: Awaited<ReturnType<typeof atThree>>) {
  const { state, second } = chain
  const [proposer] = state.validators.validators
  return executor.createProposalBlock({
    height: 3,
    state,
    lastExtendedCommit: commitToExtendedCommit(second.commit),
    proposerAddress: (proposer as (typeof state.validators.validators)[number]).address,
  })
}

test("behavior: a proposal has the mempool's transactions as the application returned them", async () => {
  const asked: { maxTxBytes: bigint; txs: readonly Uint8Array[] }[] = []
  const limits: unknown[] = []
  const chain = await atThree({
    app: {
      prepareProposal: (request) => {
        asked.push(request)
        return Promise.resolve({ txs: [...request.txs, utf8ToBytes('own=1')] })
      },
    },
    modules: {
      mempool: {
        ...createNopMempool(),
        reapMaxBytesMaxGas: (...given) => {
          limits.push(given)
          return Promise.resolve([utf8ToBytes('x=y')])
        },
      },
    },
  })
  const { block, parts, blockId } = await proposal(chain.executor, chain)
  expect(block.data.txs.map((tx) => new TextDecoder().decode(tx))).toEqual(['x=y', 'own=1'])
  expect(block.header.time).toBe(chain.third.block.header.time)
  expect(parts.isComplete).toBe(true)
  expect(hashHeader(block.header)).toEqual(blockId.hash)
  const budget = maxDataBytes({ maxBytes: 22020096n, validators: 4 }, 0)
  expect(asked[0]?.maxTxBytes).toBe(budget)
  expect(limits).toEqual([[Number(budget), -1n]])
  await chain.executor.validateBlock(chain.state, block)
})

test('error: refuses a proposal of the application that is too large', async () => {
  const tx = new Uint8Array(23_000_000)
  const chain = await atThree({ app: { prepareProposal: () => Promise.resolve({ txs: [tx] }) } })
  await expect(proposal(chain.executor, chain)).rejects.toThrow('transaction data size exceeds maximum 22018921')
})

test('behavior: a proposal has at most as many transactions as other nodes accept, also if the application adds some', async () => {
  const tx = Uint8Array.of(1)
  const offered: number[] = []
  const chain = await atThree({
    app: {
      prepareProposal: ({ txs }) => {
        offered.push(txs.length)
        return Promise.resolve({ txs: offered.length === 1 ? txs : [...txs, tx] })
      },
    },
    modules: {
      mempool: { ...createNopMempool(), reapMaxBytesMaxGas: () => Promise.resolve(new Array(300_000).fill(tx)) },
    },
  })
  const { block, parts } = await proposal(chain.executor, chain)
  const limit = maxProposedTxs({ signatures: 4, evidenceBytes: 0 })
  expect([offered, block.data.txs.length]).toEqual([[limit], limit])
  // Other nodes can decode the block, because it has at most `MAX_PROPOSED_ITEMS` items.
  expect(Block.decode(parts.bytes, { maxItems: MAX_PROPOSED_ITEMS }).data.txs.length).toBe(limit)
  await expect(proposal(chain.executor, chain)).rejects.toMatchObject({ code: EXECUTION_ERRORS.tooManyTxs })
})

test('behavior: the application decides on proposals and extensions', async () => {
  const chain = await atThree({ app: { processProposal: () => Promise.resolve({ status: 2 }) } })
  expect(await chain.executor.processProposal(chain.third.block, chain.state)).toBe(false)
  const unknown = await atThree({
    app: {
      processProposal: () => Promise.resolve({ status: 0 }),
      verifyVoteExtension: () => Promise.resolve({ status: 0 }),
    },
  })
  await expect(unknown.executor.processProposal(unknown.third.block, unknown.state)).rejects.toThrow('UNKNOWN')
})

test('behavior: the transactions of a large block are hashed in turns when it is validated, and not when it is decoded', async () => {
  const { state, keys } = await setUp()
  const txs = Array.from({ length: 30_000 }, (_, i) => utf8ToBytes(`${i}`))
  const { block } = testChain.makeBlockOn(state, keys, { txs })
  let turns = 0
  const takeTurn = async (): Promise<void> => void turns++
  const decoded = (given: Block): Block => decodeCandidate(Block.encode(given), MAX_PROPOSED_ITEMS).block
  await validateBlock(state, decoded(block), { takeTurn })
  // Each transaction takes about three hashes, and after about a thousand hashes other work gets a turn. So 30,000
  // transactions give about 90 turns.
  expect(turns).toBeGreaterThanOrEqual(85)
  expect(turns).toBeLessThanOrEqual(95)
  const other = decoded({ ...block, data: { txs: txs.with(29_999, utf8ToBytes('x')) } })
  await expect(validateBlock(state, other, { takeTurn })).rejects.toThrow('wrong Header.DataHash')
  // The transactions of a small block are hashed while the block is decoded, without turns for other work. So the wrong
  // hash is found during the decoding.
  const small = { ...block, data: { txs: txs.slice(0, 10_000) } }
  expect(() => decoded(small)).toThrow('wrong Header.DataHash')
})
