import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock } from '@org/runtime'
import { proposalSignBytes, voteSignBytes } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { describe, expect, it } from 'vitest'
import type { ConsensusModules } from '../../src/consensus/driver/index.ts'
import type { PrivValidator } from '../../src/privval/index.ts'
import { signedProposalTime, signedVoteTime } from '../../src/privval/signed-before.ts'
import { openRealNode, type RealNode } from './real-node.ts'

/**
 * The simulated death of a process. It counts the driver's calls to its modules (WAL, signer and others). The process
 * dies before or after the call with the number `at`.
 */
interface Death {
  readonly at: number
  count: number
  dead: boolean
  /** The pending calls of the driver to its modules. */
  readonly inFlight: Set<Promise<unknown>>
  readonly happened: Promise<void>
  readonly die: () => void
}

function createDeath(at: number): Death {
  const { promise, resolve } = Promise.withResolvers<void>()
  const death: Death = {
    at,
    count: 0,
    dead: false,
    inFlight: new Set(),
    happened: promise,
    die: () => {
      death.dead = true
      resolve()
    },
  }
  return death
}

const never = new Promise<never>(() => undefined)

function mortal<A extends unknown[], R>(death: Death, run: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  const pass = (): boolean => {
    if (death.count++ === death.at) death.die()
    return !death.dead
  }
  return async (...args) => {
    if (!pass()) return never
    const result = await run(...args)
    return pass() ? result : never
  }
}

/**
 * Records this call as pending until it is done. The simulated process dies only after its pending calls, because a
 * disk also completes the writes that it has begun.
 */
function tracked<A extends unknown[], R>(death: Death, run: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return (...args) => {
    const doing = run(...args)
    const entry = doing.catch(() => undefined).finally(() => death.inFlight.delete(entry))
    death.inFlight.add(entry)
    return doing
  }
}

type MakeDurable = NonNullable<PrivValidator['makeDurable']>

/**
 * Calls `makeDurable` at once, because `makeDurable` saves the state that it finds at the time of the call. The process
 * may die later, before or after this state is saved.
 */
function mortalSave(death: Death, makeDurable: MakeDurable): MakeDurable {
  return async (after) => {
    const done = makeDurable(after)
    await after
    void tracked(death, () => done)()
    await mortal(death, () => done)()
  }
}

/**
 * Collects the signed messages that other nodes may have received: the messages that are durable, and those that an
 * event has published. Two of these messages with the same height, round and type contradict each other if they differ
 * in more than their timestamp. A signature that was neither durable nor published was lost with its process, so no
 * other node has it.
 */
interface Witness {
  readonly see: (name: string, seen: { readonly signBytes: Uint8Array; readonly isVote: boolean }) => void
  readonly contradictions: readonly string[]
}

function createWitness(): Witness {
  const known = new Map<string, Uint8Array>()
  const contradictions: string[] = []
  return {
    contradictions,
    see: (name, { signBytes, isVote }) => {
      const before = known.get(name)
      if (before === undefined) known.set(name, signBytes)
      else if (!equalBytes(before, signBytes)) {
        const onlyTime = isVote ? signedVoteTime(before, signBytes) : signedProposalTime(before, signBytes)
        if (onlyTime === undefined) contradictions.push(name)
      }
    },
  }
}

function witnessed(privval: PrivValidator, witness: Witness): PrivValidator {
  let pending: (() => void)[] = []
  return {
    ...privval,
    signVote: async (chainId, vote, options) => {
      const result = await privval.signVote(chainId, vote, options)
      const name = `${vote.height}/${vote.round}/${vote.type}`
      pending.push(() => witness.see(name, { signBytes: voteSignBytes(chainId, result), isVote: true }))
      return result
    },
    signProposal: async (chainId, proposal, options) => {
      const result = await privval.signProposal(chainId, proposal, options)
      const name = `${proposal.height}/${proposal.round}/proposal`
      pending.push(() => witness.see(name, { signBytes: proposalSignBytes(chainId, result), isVote: false }))
      return result
    },
    makeDurable: async (after) => {
      const saving = pending
      pending = []
      await privval.makeDurable?.(after)
      for (const see of saving) see()
    },
  }
}

function mortalModules(modules: ConsensusModules, death: Death, witness: Witness): ConsensusModules {
  const privval = witnessed(modules.privval as PrivValidator, witness)
  const { executor, blockStore, wal, events } = modules
  return {
    ...modules,
    events: {
      publish: (event) => {
        if (death.dead) return
        if (event.type === 'Vote') {
          const { height, round, type } = event.vote
          const signBytes = voteSignBytes('single', event.vote)
          witness.see(`${height}/${round}/${type}`, { signBytes, isVote: true })
        }
        events.publish(event)
      },
    },
    privval: {
      pubKey: privval.pubKey,
      recall: privval.recall as NonNullable<PrivValidator['recall']>,
      signVote: mortal(death, privval.signVote),
      signProposal: mortal(death, privval.signProposal),
      makeDurable: mortalSave(death, privval.makeDurable as MakeDurable),
    },
    executor: {
      ...executor,
      createProposalBlock: mortal(death, executor.createProposalBlock),
      processProposal: mortal(death, executor.processProposal),
      applyBlock: mortal(death, executor.applyBlock),
    },
    blockStore: { ...blockStore, saveBlock: mortal(death, tracked(death, blockStore.saveBlock)) },
    wal: {
      open: async () => {
        const opened = await wal.open()
        return { ...opened, wal: { ...opened.wal, sync: mortal(death, tracked(death, opened.wal.sync)) } }
      },
    },
  }
}

function expectChain(node: RealNode, upTo: number): void {
  for (let height = 2; height <= upTo; height++) {
    const before = node.blockStore.loadBlockMeta(height - 1)
    const block = node.blockStore.loadBlock(height)
    expect(block?.header.lastBlockId).toEqual(before?.blockId)
  }
  expect(node.stateStore.load()?.lastBlockHeight).toBeGreaterThanOrEqual(upTo)
}

const ROUNDS = { timeoutPropose: 40_000_000n, timeoutPrevote: 10_000_000n, timeoutPrecommit: 10_000_000n }

async function openMortal(directory: string, death: Death, witness: Witness): Promise<RealNode> {
  const steps = mortal(death, () => Promise.resolve())
  const clock = createSystemClock()
  return openRealNode(directory, {
    ...ROUNDS,
    // A timer has no effect if its process is dead.
    clock: { ...clock, after: (ms, run) => clock.after(ms, () => (death.dead ? undefined : run())) },
    onStep: steps,
    wrap: (modules) => mortalModules(modules, death, witness),
  })
}

describe('a node that dies', () => {
  it('default: after a crash at any point of the first heights it restarts, contradicts no sent message, and continues', async () => {
    for (let at = 0; at < 80; at++) {
      const directory = mkdtempSync(join(tmpdir(), 'crash-'))
      const witness = createWitness()
      const death = createDeath(at)
      const dead = await openMortal(directory, death, witness)
      // `start` is not awaited, because the process may die before `start` resolves.
      void dead.consensus.start()
      await death.happened
      // After the death the files must not change any more, because a killed process writes nothing. So the test waits
      // for the end of the writes that have begun.
      await Promise.allSettled(death.inFlight)
      const heights = dead.blockStore.height()
      await dead.closeStores()
      const again = await openMortal(directory, createDeath(-1), witness)
      await again.consensus.start()
      await again.committed(heights + 2)
      expectChain(again, heights + 2)
      expect(witness.contradictions).toEqual([])
      await again.stop()
      rmSync(directory, { recursive: true })
    }
  }, 120_000)
})
