import type { Snapshot } from '../chain/chain.ts'
import { DEVNET_ERRORS, DevnetError } from './errors.ts'
import type { Parts } from './parts.ts'
import type { PowerChanges } from './powers.ts'

/** Each snapshot is a copy of the stores of all validators. */
const MAX_SNAPSHOTS = 100

/** The calls that save the chain and go back. */
export interface Snapshots {
  /** Resolves with the id of the snapshot. */
  readonly take: () => Promise<string>
  /** Resolves with the height to which the chain went back. */
  readonly revert: (id: string) => Promise<number>
}

interface SavedMoment {
  readonly snapshot: Snapshot
  readonly offset: bigint
  readonly changes: PowerChanges
}

export function createSnapshots(parts: Omit<Parts, 'miner'>): Snapshots {
  const {
    opened: { chain },
    clock,
    members,
    transactions,
    powers,
    faults,
  } = parts
  const saved = new Map<string, SavedMoment>()
  let last = 0

  async function take(): Promise<string> {
    if (saved.size >= MAX_SNAPSHOTS) {
      const message = `a devnet keeps at most ${MAX_SNAPSHOTS} snapshots: call dev_revert with one of them, or start the devnet again`
      throw new DevnetError(DEVNET_ERRORS.tooManySnapshots, message)
    }
    const id = String(last++)
    saved.set(id, { snapshot: await chain.snapshot(), offset: clock.offset, changes: powers.save() })
    return id
  }

  return {
    take,
    revert: async (id: string): Promise<number> => {
      const found = saved.get(id)
      if (found === undefined) {
        const message = `there is no snapshot ${JSON.stringify(id)}: use an id that dev_snapshot answered`
        throw new DevnetError(DEVNET_ERRORS.unknownSnapshot, message)
      }
      // The applications may execute blocks again during their start.
      powers.restore(found.changes)
      faults.end()
      await chain.revert(found.snapshot)
      clock.offset = found.offset
      transactions.clear()
      for (const member of members.all()) member.signs = true
      return chain.height()
    },
  }
}
