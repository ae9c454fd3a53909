import { RESTORE_ERRORS } from '@org/engine'
import { hashOf, type LightBlock } from '@org/light'
import { createMemoryProvider } from '@org/light/testing'
import { createLightStateProvider, type StateServer } from '@org/node-rpc/statesync'
import { createVirtualClock, noopLogger } from '@org/runtime'
import type { ConsensusParams } from '@org/types'
import { beforeAll, expect, test } from 'vitest'
import { createNetwork } from '../src/network/index.ts'
import { lightBlockAt } from '../src/servers/index.ts'

const [TRUSTED, LAST] = [12, 16]
const SECOND = 1_000_000_000n
const signal = new AbortController().signal

let chainId: string
let params: ConsensusParams
const CHAIN = new Map<number, LightBlock>()
const blockAt = (height: number): LightBlock => CHAIN.get(height) as LightBlock

beforeAll(async () => {
  const network = createNetwork({ seed: 11, validators: 4, txEveryMs: 100 })
  network.start()
  await network.reach(LAST + 1, 60_000)
  const engine = network.nodes[0]?.engine()
  if (engine === undefined) throw new Error('the first node does not run')
  for (let height = 1; height <= LAST; height++) CHAIN.set(height, lightBlockAt(engine, height) as LightBlock)
  chainId = network.genesis.chainId
  params = engine.stateStore.loadConsensusParams(LAST)
  await network.conclude()
})

/**
 * Returns the chain with other proposer priorities in the blocks from `from` to `to`. No hash covers the priorities.
 */
function withOtherPriorities(from: number, to: number): ReadonlyMap<number, LightBlock> {
  const blocks = new Map(CHAIN)
  for (let height = from; height <= to; height++) {
    const block = blockAt(height)
    const validators = block.validators.validators.map((validator, index) => ({
      ...validator,
      proposerPriority: validator.proposerPriority + BigInt(index),
    }))
    blocks.set(height, { ...block, validators: { ...block.validators, validators } })
  }
  return blocks
}

function server(name: string, blocks: ReadonlyMap<number, LightBlock> = CHAIN): StateServer {
  return { ...createMemoryProvider({ chainId, name }, blocks), consensusParams: async () => params }
}

const providerOf = (...servers: readonly StateServer[]) =>
  createLightStateProvider(
    {
      chainId,
      initialHeight: 1,
      trust: { height: TRUSTED, hash: hashOf(blockAt(TRUSTED)) },
      trustPeriod: 3600n * SECOND,
    },
    { servers, clock: createVirtualClock(blockAt(LAST).header.time + SECOND), logger: noopLogger, signal },
  )

test('default: a snapshot below the trusted height is proven by servers that agree', async () => {
  const provider = await providerOf(server('a'), server('b'))
  expect(await provider.appHash(5, signal)).toEqual(blockAt(6).header.appHash)
  const state = await provider.state(5, signal)
  expect([state.lastBlockHeight, state.validators]).toEqual([5, blockAt(6).validators])
})

test.each([5, TRUSTED - 2, TRUSTED - 1])(
  'error: no state of height %i, below the trusted height, has proposer priorities of one server alone',
  async (height) => {
    const liar = server('liar', withOtherPriorities(1, TRUSTED - 1))
    const provider = await providerOf(liar, server('honest'))
    const proof = provider.appHash(height, signal).then(() => provider.state(height, signal))
    await expect(proof).rejects.toMatchObject({
      code: RESTORE_ERRORS.servers,
      message: expect.stringMatching(/other proposer priorities at height \d+.*remove the others/),
    })
  },
)

test('error: no block below the trusted height is proven if only one server has it', async () => {
  const pruned = new Map([...CHAIN].filter(([height]) => height >= TRUSTED))
  const provider = await providerOf(server('liar', withOtherPriorities(1, TRUSTED - 1)), server('pruned', pruned))
  await expect(provider.appHash(TRUSTED - 2, signal)).rejects.toMatchObject({ code: 'STATESYNC_NO_PRIORITIES' })
})
