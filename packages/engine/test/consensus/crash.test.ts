import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { equalBytes } from '@org/types/bytes'
import { proposalSignBytes, voteSignBytes } from '@org/types/vote'
import { describe, expect, it } from 'vitest'
import type { ConsensusModules } from '../../src/consensus/index.ts'
import type { PrivValidator } from '../../src/privval/index.ts'
import { signedProposalTime, signedVoteTime } from '../../src/privval/signed-before.ts'
import { openRealNode, type RealNode } from './real-node.ts'

/** Counts what the driver asks of the world and hangs at one of these calls, before or after it is done. */
interface Death {
  readonly at: number
  count: number
  dead: boolean
  /** Calls that are being done. */
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

/** Has the death wait until this is done: the disk goes on when a process dies. */
function tracked<A extends unknown[], R>(death: Death, run: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return (...args) => {
    const doing = run(...args)
    const entry = doing.catch(() => undefined).finally(() => death.inFlight.delete(entry))
    death.inFlight.add(entry)
    return doing
  }
}

type Settle = NonNullable<PrivValidator['settle']>

/** What is saved is what was signed before the call, so the call is made at once; its writing begins after the WAL's. */
function mortalSettle(death: Death, settle: Settle): Settle {
  return async (after) => {
    const done = settle(after)
    await after
    void tracked(death, () => done)()
    await mortal(death, () => done)()
  }
}

/** What was signed for a height, round and step; two signatures may differ in the time only. */
type Signed = Map<string, { readonly signBytes: Uint8Array; readonly isVote: boolean }>

function watched(privval: PrivValidator, signed: Signed): PrivValidator {
  const note = (name: string, isVote: boolean, signBytes: Uint8Array): void => {
    const before = signed.get(name)
    if (before === undefined) signed.set(name, { signBytes, isVote })
    else if (!equalBytes(before.signBytes, signBytes)) {
      const same = isVote
        ? signedVoteTime(before.signBytes, signBytes)
        : signedProposalTime(before.signBytes, signBytes)
      if (same === undefined) throw new Error(`signed twice: ${name}`)
    }
  }
  return {
    ...privval,
    signVote: async (chainId, vote, options) => {
      const result = await privval.signVote(chainId, vote, options)
      note(`${vote.height}/${vote.round}/${vote.type}`, true, voteSignBytes(chainId, result))
      return result
    },
    signProposal: async (chainId, proposal, options) => {
      const result = await privval.signProposal(chainId, proposal, options)
      note(`${proposal.height}/${proposal.round}/proposal`, false, proposalSignBytes(chainId, result))
      return result
    },
  }
}

function mortalModules(modules: ConsensusModules, death: Death, signed: Signed): ConsensusModules {
  const privval = watched(modules.privval as PrivValidator, signed)
  const { executor, blockStore, wal } = modules
  return {
    ...modules,
    privval: {
      pubKey: privval.pubKey,
      signVote: mortal(death, privval.signVote),
      signProposal: mortal(death, privval.signProposal),
      settle: mortalSettle(death, privval.settle as Settle),
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

async function live(directory: string, death: Death, signed: Signed): Promise<RealNode> {
  const steps = mortal(death, () => Promise.resolve())
  const node = await openRealNode(directory, {
    ...ROUNDS,
    onStep: steps,
    wrap: (modules) => mortalModules(modules, death, signed),
  })
  await node.consensus.start()
  return node
}

describe('a node that dies', () => {
  it('default: at any point of the first heights it comes back, signs nothing twice, and goes on', async () => {
    for (let at = 0; at < 80; at++) {
      const directory = mkdtempSync(join(tmpdir(), 'crash-'))
      const signed: Signed = new Map()
      const death = createDeath(at)
      const starting = live(directory, death, signed)
      const first = await Promise.race([starting, death.happened])
      await death.happened
      const dead = first ?? undefined
      // What is left behind is what a killed process leaves: files as they were last written.
      await Promise.allSettled(death.inFlight)
      const heights = dead?.blockStore.height() ?? 0
      await dead?.closeStores()
      if (dead === undefined) {
        rmSync(directory, { recursive: true })
        continue
      }
      const again = await live(directory, createDeath(-1), signed)
      await again.committed(heights + 2)
      expectChain(again, heights + 2)
      await again.stop()
      rmSync(directory, { recursive: true })
    }
  }, 120_000)
})
