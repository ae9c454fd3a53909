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
 * The simulated crash of a process. It counts the driver's calls to its modules (WAL, signer and others). The process
 * crashes before or after the call with the number `at`.
 */
interface SimulatedCrash {
  readonly at: number
  calls: number
  hasCrashed: boolean
  /** The pending calls of the driver to its modules. */
  readonly inFlight: Set<Promise<unknown>>
  readonly happened: Promise<void>
  readonly trigger: () => void
}

function createSimulatedCrash(at: number): SimulatedCrash {
  const { promise, resolve } = Promise.withResolvers<void>()
  const crash: SimulatedCrash = {
    at,
    calls: 0,
    hasCrashed: false,
    inFlight: new Set(),
    happened: promise,
    trigger: () => {
      crash.hasCrashed = true
      resolve()
    },
  }
  return crash
}

const never = new Promise<never>(() => undefined)

function withCrashPoints<A extends unknown[], R>(
  crash: SimulatedCrash,
  run: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  const pass = (): boolean => {
    if (crash.calls++ === crash.at) crash.trigger()
    return !crash.hasCrashed
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
function tracked<A extends unknown[], R>(
  crash: SimulatedCrash,
  run: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  return (...args) => {
    const doing = run(...args)
    const entry = doing.catch(() => undefined).finally(() => crash.inFlight.delete(entry))
    crash.inFlight.add(entry)
    return doing
  }
}

type MakeDurable = NonNullable<PrivValidator['makeDurable']>

/**
 * Calls `makeDurable` at once, because `makeDurable` saves the state that it finds at the time of the call. The process
 * may crash later, before or after this state is saved.
 */
function saveWithCrashPoints(crash: SimulatedCrash, makeDurable: MakeDurable): MakeDurable {
  return async (after) => {
    const done = makeDurable(after)
    await after
    void tracked(crash, () => done)()
    await withCrashPoints(crash, () => done)()
  }
}

/**
 * Collects the signed messages that other nodes may have received: the messages that are durable, and those that an
 * event has published. Two of these messages with the same height, round and type contradict each other if they differ
 * in more than their timestamp. A signature that was neither durable nor published was lost with its process, so no
 * other node has it.
 */
interface EquivocationDetector {
  readonly see: (name: string, seen: { readonly signBytes: Uint8Array; readonly isVote: boolean }) => void
  readonly equivocations: readonly string[]
}

function createEquivocationDetector(): EquivocationDetector {
  const known = new Map<string, Uint8Array>()
  const equivocations: string[] = []
  return {
    equivocations,
    see: (name, { signBytes, isVote }) => {
      const before = known.get(name)
      if (before === undefined) known.set(name, signBytes)
      else if (!equalBytes(before, signBytes)) {
        const onlyTime = isVote ? signedVoteTime(before, signBytes) : signedProposalTime(before, signBytes)
        if (onlyTime === undefined) equivocations.push(name)
      }
    },
  }
}

function withDetector(privval: PrivValidator, detector: EquivocationDetector): PrivValidator {
  let pending: (() => void)[] = []
  return {
    ...privval,
    signVote: async (chainId, vote, options) => {
      const result = await privval.signVote(chainId, vote, options)
      const name = `${vote.height}/${vote.round}/${vote.type}`
      pending.push(() => detector.see(name, { signBytes: voteSignBytes(chainId, result), isVote: true }))
      return result
    },
    signProposal: async (chainId, proposal, options) => {
      const result = await privval.signProposal(chainId, proposal, options)
      const name = `${proposal.height}/${proposal.round}/proposal`
      pending.push(() => detector.see(name, { signBytes: proposalSignBytes(chainId, result), isVote: false }))
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

function modulesWithCrashPoints(
  modules: ConsensusModules,
  crash: SimulatedCrash,
  detector: EquivocationDetector,
): ConsensusModules {
  const privval = withDetector(modules.privval as PrivValidator, detector)
  const { executor, blockStore, wal, events } = modules
  return {
    ...modules,
    events: {
      publish: (event) => {
        if (crash.hasCrashed) return
        if (event.type === 'Vote') {
          const { height, round, type } = event.vote
          const signBytes = voteSignBytes('single', event.vote)
          detector.see(`${height}/${round}/${type}`, { signBytes, isVote: true })
        }
        events.publish(event)
      },
    },
    privval: {
      pubKey: privval.pubKey,
      recall: privval.recall as NonNullable<PrivValidator['recall']>,
      signVote: withCrashPoints(crash, privval.signVote),
      signProposal: withCrashPoints(crash, privval.signProposal),
      makeDurable: saveWithCrashPoints(crash, privval.makeDurable as MakeDurable),
    },
    executor: {
      ...executor,
      createProposalBlock: withCrashPoints(crash, executor.createProposalBlock),
      processProposal: withCrashPoints(crash, executor.processProposal),
      applyBlock: withCrashPoints(crash, executor.applyBlock),
    },
    blockStore: { ...blockStore, saveBlock: withCrashPoints(crash, tracked(crash, blockStore.saveBlock)) },
    wal: {
      open: async () => {
        const opened = await wal.open()
        return { ...opened, wal: { ...opened.wal, sync: withCrashPoints(crash, tracked(crash, opened.wal.sync)) } }
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

async function openNodeWithCrashPoints(
  directory: string,
  crash: SimulatedCrash,
  detector: EquivocationDetector,
): Promise<RealNode> {
  const steps = withCrashPoints(crash, () => Promise.resolve())
  const clock = createSystemClock()
  return openRealNode(directory, {
    ...ROUNDS,
    // A timer has no effect if its process has crashed.
    clock: { ...clock, after: (ms, run) => clock.after(ms, () => (crash.hasCrashed ? undefined : run())) },
    onStep: steps,
    wrap: (modules) => modulesWithCrashPoints(modules, crash, detector),
  })
}

describe('a node that dies', () => {
  it('default: after a crash at any point of the first heights it restarts, contradicts no sent message, and continues', async () => {
    for (let at = 0; at < 80; at++) {
      const directory = mkdtempSync(join(tmpdir(), 'crash-'))
      const detector = createEquivocationDetector()
      const crash = createSimulatedCrash(at)
      const hasCrashed = await openNodeWithCrashPoints(directory, crash, detector)
      // `start` is not awaited, because the process may crash before `start` resolves.
      void hasCrashed.consensus.start()
      await crash.happened
      // After the crash the files must not change any more, because a killed process writes nothing. So the test waits
      // for the end of the writes that have begun.
      await Promise.allSettled(crash.inFlight)
      const heights = hasCrashed.blockStore.height()
      await hasCrashed.closeStores()
      const again = await openNodeWithCrashPoints(directory, createSimulatedCrash(-1), detector)
      await again.consensus.start()
      await again.committed(heights + 2)
      expectChain(again, heights + 2)
      expect(detector.equivocations).toEqual([])
      await again.stop()
      rmSync(directory, { recursive: true })
    }
  }, 120_000)
})
