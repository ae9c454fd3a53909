import { SignedMsgType, ZERO_BLOCK_ID } from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { describe, expect, it } from 'vitest'
import { type MachineOptions, RoundStep } from '../../src/consensus/machine/index.ts'
import { createScenario, type Scenario } from './scenario.ts'
import { createVirtualNetwork, type VirtualBlock, type VirtualNode } from './virtual-network.ts'

const { precommit } = SignedMsgType
const MS = 1_000_000n
/** The powers of five validators. The last validator has almost no power: any three of the other four decide. */
const FIVE = [10n, 10n, 10n, 10n, 1n]

const since = (s: Scenario, begun: number): number => s.network.clock.monotonic() - begun

function steps(s: Scenario): string[] {
  return s.me.effects.flatMap((effect) =>
    effect.type === 'newStep' ? [`${effect.height}/${effect.round}/${effect.step}`] : [],
  )
}

function scheduled(s: Scenario, step: RoundStep): bigint[] {
  return s.me.effects.flatMap((effect) =>
    effect.type === 'schedule' && effect.timeout.step === step ? [effect.timeout.duration / MS] : [],
  )
}

/**
 * Decides a block of the first height. `ids` are the blocks for which the other validators precommit. By default, two
 * of the other validators precommit for the decided block.
 */
function decide(s: Scenario, ...ids: (VirtualBlock | undefined)[]): VirtualBlock {
  const block = s.network.block(['a'])
  s.propose(block)
  s.prevote(block, block, block)
  s.precommit(...(ids.length === 0 ? [block, block] : ids))
  return block
}

describe('the next height', () => {
  it('default: the next height begins one commit timeout after the decision, also if the decision was late', () => {
    const s = createScenario()
    s.timeOut()
    s.precommit(undefined, undefined, undefined)
    s.timeOut()
    expect(s.state.round).toBe(1)
    const block = decide(s)
    expect([s.state.height, s.state.step]).toEqual([2, RoundStep.newHeight])
    expect(s.state.chain.lastBlockId).toEqual(block.blockId)
    expect(steps(s).at(-1)).toBe(`2/0/${RoundStep.newHeight}`)
    const begun = s.network.clock.monotonic()
    s.timeOut()
    expect([s.state.step, since(s, begun)]).toEqual([RoundStep.propose, 1000])
  })

  it.each([
    { skipTimeoutCommit: false, waits: 1000 },
    { skipTimeoutCommit: true, waits: 0 },
  ])(
    'behavior: the wait after all precommits are received, with skipTimeoutCommit: $skipTimeoutCommit',
    ({ skipTimeoutCommit, waits }) => {
      const options = { skipTimeoutCommit }
      const expectStart = (s: Scenario): void => {
        const begun = s.network.clock.monotonic()
        expect(s.state.height).toBe(2)
        if (waits > 0) s.timeOut()
        expect(s.state.step).toBeGreaterThanOrEqual(RoundStep.propose)
        expect(since(s, begun)).toBe(waits)
      }
      // First case: the last precommit arrives after the block is decided.
      const late = createScenario({ options })
      const { blockId } = decide(late)
      const vote = late.others[2]?.vote({ type: precommit, height: 1, round: 0, blockId })
      if (vote !== undefined) late.me.receive({ kind: 'vote', vote })
      expect(late.state.lastCommit?.hasAll).toBe(true)
      expectStart(late)
      // Second case: the last precommit decides the block.
      const two = createScenario({ options, powers: [10n, 10n], proposes: 1 })
      const block = two.network.block(['a'])
      two.propose(block)
      two.prevote(block)
      two.precommit(block)
      expectStart(two)
    },
  )

  it('behavior: later precommits count until the next height begins', () => {
    const s = createScenario({ powers: FIVE })
    const block = decide(s)
    const late = s.others.slice(2).map((node) => node.vote({ type: precommit, height: 1, blockId: block.blockId }))
    const [first, second] = late
    if (first === undefined || second === undefined) throw new Error('votes')
    const votes = (): number => s.state.lastCommit?.votes.filter((vote) => vote !== undefined).length ?? 0
    expect(votes()).toBe(3)
    s.me.receive({ kind: 'vote', vote: first })
    expect(votes()).toBe(4)
    s.timeOut()
    s.me.receive({ kind: 'vote', vote: second })
    expect(votes()).toBe(4)
    const last = s.me.effects.findLast((effect) => effect.type === 'judgement')
    expect(last?.judgement).toEqual({ outcome: 'ignore', reason: 'the vote came too late for the last commit' })
  })

  it('behavior: further precommits for a decided block, while it is fetched, do not decide again', () => {
    const s = createScenario({ powers: FIVE })
    const block = s.network.block(['a'])
    s.precommit(block, block, block)
    const [before, time] = [steps(s), s.state.commitTime]
    expect(s.state.step).toBe(RoundStep.commit)
    // The timeout of the step propose fires while the block is fetched, and has no effect.
    s.timeOut()
    const vote = s.others[3]?.vote({ type: precommit, blockId: block.blockId })
    if (vote !== undefined) s.me.receive({ kind: 'vote', vote })
    expect([steps(s), s.state.commitTime]).toEqual([before, time])
    s.sendParts(block)
    expect(s.state.height).toBe(2)
  })
})

describe('waits', () => {
  it('default: each step of a round that decides nothing is reported once', () => {
    const s = createScenario()
    const before = steps(s).length
    s.timeOut()
    s.prevote(s.network.block(['a']), undefined)
    expect(s.state.step).toBe(RoundStep.prevoteWait)
    // One more vote does not restart the wait.
    s.prevote(s.network.block(['a']), undefined, s.network.block(['b']))
    s.timeOut()
    s.precommit(s.network.block(['a']), undefined, undefined)
    s.timeOut()
    const { prevote, prevoteWait, precommit: precommits, propose } = RoundStep
    expect(steps(s).slice(before)).toEqual([
      `1/0/${prevote}`,
      `1/0/${prevoteWait}`,
      `1/0/${precommits}`,
      // The wait for precommits has no step of its own. So the step precommit is reported a second time.
      `1/0/${precommits}`,
      `1/1/${propose}`,
    ])
    expect(scheduled(s, prevoteWait)).toEqual([1000n])
  })

  it('behavior: the waits for votes grow with the round', () => {
    const s = createScenario()
    for (let round = 0; round < 3; round++) {
      s.timeOut()
      s.prevote(s.network.block(['a']), undefined)
      s.timeOut()
      s.precommit(s.network.block(['a']), undefined)
      s.timeOut()
    }
    expect(s.state.round).toBe(3)
    expect(scheduled(s, RoundStep.prevoteWait)).toEqual([1000n, 1500n, 2000n])
    expect(scheduled(s, RoundStep.precommitWait)).toEqual([1000n, 1500n, 2000n])
  })

  it('behavior: a timeout of an earlier step is ignored', () => {
    const s = createScenario()
    s.propose(s.network.block(['a']))
    expect(s.state.step).toBe(RoundStep.prevote)
    const [before, sent] = [s.eventTypes(), s.me.sent.length]
    const duration = 0n
    s.me.feed({ type: 'timeout', timeout: { height: 1, round: 0, step: RoundStep.propose, duration } })
    s.me.feed({ type: 'timeout', timeout: { height: 1, round: 0, step: RoundStep.newHeight, duration } })
    expect([s.eventTypes(), s.me.sent.length, s.state.step]).toEqual([before, sent, RoundStep.prevote])
  })

  it('behavior: a machine that continues after the precommits of other validators has sent its own precommit', () => {
    const s = createScenario()
    const block = s.network.block(['a'])
    s.precommit(undefined, undefined, block)
    s.timeOut()
    expect(s.state.round).toBe(1)
    expect(s.myVote(precommit, 0)).toEqual(ZERO_BLOCK_ID)
  })

  it('behavior: votes of the next round are accepted from a peer that has opened two later rounds', () => {
    const s = createScenario()
    const [node] = s.others as [VirtualNode]
    for (const round of [5, 6, 1]) s.me.receive({ kind: 'vote', vote: node.vote({ round, type: precommit }) }, 'p')
    expect(s.state.votes.precommits(1)?.vote(node.index)).toBeDefined()
  })

  it('behavior: without a tolerance no block is refused because its time is ahead', () => {
    const s = createScenario({ options: { blockTimeTolerance: 0n } })
    const soon = s.network.block()
    const header = { ...soon.block.header, time: soon.block.header.time + 3_600_000n * MS }
    const ahead = s.network.remake({ ...soon.block, header })
    s.propose(ahead)
    s.expectPrevote(ahead)
  })
})

describe('without empty blocks', () => {
  /**
   * Creates a network of one validator, at the second height. The first block is always made. Later, an empty block is
   * made only if the app hash has changed. The first block does not change the app hash, so the second block needs
   * transactions.
   */
  function alone(more: Partial<MachineOptions> = {}) {
    const made: Uint8Array[][] = [[], [utf8ToBytes('a')], []]
    const network = createVirtualNetwork({
      powers: [10n],
      options: { createEmptyBlocks: false, ...more },
      app: { txs: (height) => made[height - 1] ?? [] },
    })
    network.start()
    const [me] = network.nodes as [VirtualNode]
    network.runUntil(() => me.machine.state.height === 2)
    return { network, me, state: me.machine.state }
  }

  it('default: the round waits for transactions; after their block, the block with its app hash is made at once', () => {
    const { network, me, state } = alone()
    while (network.clock.next());
    expect([state.height, state.step, state.round]).toEqual([2, RoundStep.newRound, 0])
    me.feed({ type: 'txsAvailable' })
    expect(me.commits.map(({ block }) => block.data.txs.length)).toEqual([0, 1])
    while (network.clock.next());
    expect(me.commits.length).toBe(3)
    expect([state.height, state.step]).toEqual([4, RoundStep.newRound])
  })

  it('behavior: transactions that come before the height begins end its wait a millisecond after its start', () => {
    const { network, me, state } = alone()
    const begun = network.clock.monotonic()
    expect(state.step).toBe(RoundStep.newHeight)
    me.feed({ type: 'txsAvailable' })
    network.runUntil(() => state.height === 3)
    expect(network.clock.monotonic() - begun).toBe(1001)
    // Block 2 has changed the app hash, so the next block is made even without transactions, at the usual time.
    const next = network.clock.monotonic()
    me.feed({ type: 'txsAvailable' })
    network.runUntil(() => state.height === 4)
    expect(network.clock.monotonic() - next).toBe(1000)
  })

  it('behavior: an empty block comes when its interval is over', () => {
    const { network, me, state } = alone({ createEmptyBlocksInterval: 7000n * MS })
    const begun = network.clock.monotonic()
    me.effects.length = 0
    network.runUntil(() => state.height === 3)
    expect(network.clock.monotonic() - begun).toBe(8000)
  })

  it('behavior: only the first round of a height waits', () => {
    const s = createScenario({ options: { createEmptyBlocks: false } })
    s.propose(s.network.block())
    const block = s.network.block()
    s.prevote(block, block, block)
    s.precommit(block, block, block)
    s.timeOut()
    expect([s.state.height, s.state.step]).toEqual([2, RoundStep.newRound])
    s.prevoteIn(1, undefined, undefined, undefined)
    expect([s.state.round, s.state.step]).toEqual([1, RoundStep.propose])
    // In the step propose, the arrival of transactions has no effect.
    const before = s.me.effects.length
    s.me.feed({ type: 'txsAvailable' })
    expect(s.me.effects.length).toBe(before)
  })
})
