import type { CommittedChain } from '@org/engine'
import type { DevnetSnapshot } from '@org/rpc'
import type { Snapshot } from '../chain/chain.ts'
import type { ChainTarget, RememberedState } from './applications/index.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'
import { createLineages, isShared, type Lineage } from './lineage.ts'
import type { Parts } from './parts.ts'
import type { PowerChanges } from './powers.ts'

/** The maximum number of snapshots. Each takes much memory, because it is a copy of the stores of all validators. */
const MAX_SNAPSHOTS = 100

/** The calls that save the chain, list the saved moments, and go back to one of them. */
export interface Snapshots {
  /** Resolves with the id of the snapshot. */
  readonly take: () => Promise<string>
  readonly list: () => readonly DevnetSnapshot[]
  /** Resolves with the height to which the chain went back. */
  readonly revert: (id: string) => Promise<number>
}

/** A saved moment, to which the chain can go back. */
export interface SavedMoment {
  readonly snapshot: Snapshot
  readonly offset: bigint
  readonly changes: PowerChanges
  readonly line: Lineage
  /** The height of the first block that the store has. */
  readonly base: number
  readonly remembered: readonly RememberedState[]
  /** The number of validators. */
  readonly validators: number
}

/** Returns the app hash after a height, if the chain has it. */
function appHashAt({ stateStore, blockStore }: CommittedChain, height: number): Uint8Array | undefined {
  const state = stateStore.load()
  if (state?.lastBlockHeight === height) return state.appHash
  return blockStore.loadBlockMeta(height + 1)?.header.appHash
}

export function createSnapshots(parts: Omit<Parts, 'miner'>): Snapshots & {
  /** Returns the present moment of the chain. Does not keep it under an id, so `dev_revert` cannot go back to it. */
  readonly save: () => Promise<SavedMoment>
} {
  const { opened, clock, members, transactions, powers, faults, applications } = parts
  const { chain, engine, network } = opened
  const saved = new Map<string, SavedMoment>()
  const lineages = createLineages()
  let last = 0

  async function save(): Promise<SavedMoment> {
    const snapshot = await chain.snapshot()
    const { offset } = clock
    const facts = { offset, changes: powers.save(), line: lineages.current(), base: engine().blockStore.base() }
    const remembered = await applications.remember(network.validators.length, (height) => appHashAt(engine(), height))
    return { snapshot, ...facts, remembered, validators: opened.savedNodes(snapshot).length }
  }

  async function take(): Promise<string> {
    if (saved.size >= MAX_SNAPSHOTS) {
      const message = `a devnet keeps at most ${MAX_SNAPSHOTS} snapshots, and this number is reached: call dev_revert with the id of a snapshot, or start the devnet again`
      throw new DevnetError(DEVNET_ERRORS.tooManySnapshots, message)
    }
    const id = String(last++)
    saved.set(id, await save())
    return id
  }

  /**
   * Describes the saved moment to which the applications must return. An application may return to a height below the
   * height of the saved moment. The application then executes the blocks between these two heights again.
   */
  function targetOf({ snapshot, line, base, remembered, validators }: SavedMoment): ChainTarget {
    const { initialHeight } = network.genesis
    const present = lineages.current()
    return {
      height: snapshot.height,
      canContinueFrom: (height) =>
        height <= snapshot.height &&
        (snapshot.height === 0 || Math.max(height + 1, initialHeight) >= base) &&
        isShared(present, line, height),
      remembered,
      validators,
    }
  }

  return {
    save,
    take,
    list: () => [...saved].map(([id, { snapshot }]) => ({ id, height: snapshot.height })),
    revert: async (id: string): Promise<number> => {
      const moment = saved.get(id)
      if (moment === undefined) {
        const message = `there is no snapshot ${JSON.stringify(id)}: use an id that dev_snapshot returned`
        throw new DevnetError(DEVNET_ERRORS.unknownSnapshot, message)
      }
      let go = async (): Promise<void> => undefined
      await opened.restart({
        snapshot: moment.snapshot,
        before: async () => {
          go = await applications.wayTo(targetOf(moment))
        },
        between: async () => {
          await go()
          // When the validators start, the applications may execute blocks again. Their answers to FinalizeBlock must
          // contain the same changes of powers as the first answers. So the changes that were saved with the moment are
          // restored before the start.
          powers.restore(moment.changes)
          faults.end()
          lineages.goBack(moment.line, moment.snapshot.height)
        },
      })
      clock.offset = moment.offset
      transactions.clear()
      for (const member of members.all()) member.signs = true
      return chain.height()
    },
  }
}
