import { hashValidators } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { type CrashKind, MAX_CRASH_OUTCOMES } from '../disk/index.ts'
import type { Fault } from '../faults/index.ts'
import type { NetworkOptions, SimNetwork } from '../network/index.ts'
import type { JoinerOptions } from '../servers/index.ts'
import { WORLD_ERRORS, WorldError } from '../world/index.ts'
import type { Scenario } from './make-scenario.ts'
import { runScenario } from './run-scenario.ts'

/** A crash of the node under test, at one of its writes, application calls or sends. */
export interface CrashPoint {
  /**
   * The number of the effect at which the node crashes, from 1. With `before`, effects are counted when they begin.
   * With `after`, they are counted when they end.
   */
  readonly effect: number
  readonly when: 'before' | 'after'
  readonly crash: CrashKind
  /** The index of the crash's outcome, which decides what unsynced data is lost. */
  readonly loss: number
}

/** The options of a sweep. A sweep repeats one run, each time with another crash of one node. */
export interface CrashSweep {
  readonly heights: number
  /** The number of validators. With 1, no block is decided while this validator is down. */
  readonly validators: number
  readonly initialHeight?: number
  /**
   * The factors by which parts of the disk are slower. The key is the name of a database, or a prefix of the paths of
   * files.
   */
  readonly slow?: Readonly<Record<string, number>>
  /** The size, in bytes, at which the head file of the WAL is renamed and a new one begins. Default: 60,000. */
  readonly walHeadSize?: number
  /**
   * The number of blocks that the default application keeps. With a number above 0, the application also changes
   * parameters every third height, and no full node becomes a validator. Default: 0, which keeps all blocks and changes
   * no parameters.
   */
  readonly keepBlocks?: number
  /** True if the crashed node is the one that begins with a snapshot. Default: the first node crashes. */
  readonly joins?: boolean
  /** A second crash, which comes `effects` effects after the first. */
  readonly again?: { readonly effects: number; readonly crash: CrashKind; readonly loss?: number }
}

/** A place for a crash. The places are found in a run without a crash. */
export interface CrashPlace extends Pick<CrashPoint, 'effect' | 'when'> {
  readonly name: string
  readonly atMs: number
  /**
   * The numbers of possible outcomes of a crash at this place. `power` is the number for a power failure, and `kill` is
   * the number for the death of the process alone.
   */
  readonly losses: Readonly<Record<CrashKind, number>>
  /**
   * True if nothing durable has changed since the place before this one in the list of places. Then a crash has the
   * same result at both places.
   */
  readonly isSame: boolean
}

/** The result of the run without a crash. */
export interface CrashRecord {
  readonly places: readonly CrashPlace[]
  readonly heights: number
  readonly txs: number
  /**
   * `validatorChanges`: the number of heights whose validators differ from those of the height before.
   * `extendedHeights`: the number of heights that have a commit with vote extensions, which the next height uses.
   */
  readonly validatorChanges: number
  readonly extendedHeights: number
}

/** The virtual milliseconds for one height. Failed rounds take longer. */
const HEIGHT_MS = { alone: 212, several: 265 }
const BEGINNING_MS = 500
const LOAD = 60
const DOWN_MS = 400

/** The options of the joining node. The joining node requests headers from the validators 0, 1 and 2. */
const JOINER: JoinerOptions = { nodes: 1, startAt: 4, servers: [0, 1, 2], lies: [], trustBack: 2 }

/** Returns the index of the node that is crashed. */
const crashedNode = ({ joins = false, validators }: CrashSweep): number => (joins ? validators : 0)

/**
 * Returns the run that a sweep repeats, without a crash. It has transactions of clients, changes of validators, and
 * vote extensions. Until the crash, all runs of a sweep are the same.
 */
function sweepScenario({
  heights,
  validators,
  initialHeight = 1,
  walHeadSize = 60_000,
  slow = {},
  keepBlocks = 0,
  joins = false,
}: CrashSweep): Scenario & { readonly lastsMs: number } {
  const lastsMs = BEGINNING_MS + heights * (validators === 1 ? HEIGHT_MS.alone : HEIGHT_MS.several)
  const network: Partial<NetworkOptions> = {
    validators,
    // If nodes remove old blocks, the network has no full node. A full node that was down for a time may need blocks
    // that the validators have removed meanwhile. The full node could then return only by state sync, and in this run
    // there are no snapshots.
    fullNodes: keepBlocks === 0 && !joins ? 1 : 0,
    ...(joins ? { joiners: JOINER, appSnapshotsEvery: 2 } : {}),
    extensionsFrom: initialHeight + 2,
    initialHeight,
    txEveryMs: LOAD,
    walHeadSize,
    appKeepsBlocks: keepBlocks,
    appChangesParamsEvery: keepBlocks === 0 ? 0 : 3,
  }
  const change = (at: number, node: number, power: number) => ({ kind: 'validator' as const, at, node, power })
  return {
    seed: 1_000_000,
    network,
    lastsMs,
    faults: [
      ...Object.entries(slow).map(
        ([name, slowness]) => ({ kind: 'slowPart', at: 0, node: 0, name, slowness, forMs: lastsMs }) as const,
      ),
      change(lastsMs * 0.1, Math.min(1, validators - 1), 12),
      ...(keepBlocks === 0 ? [change(lastsMs * 0.3, validators, 3), change(lastsMs * 0.6, validators, 0)] : []),
    ],
    byzantine: [],
  }
}

/**
 * Returns the run of a sweep, with a crash in it. `atMs` is the virtual time at which the run without a crash comes to
 * the place of the crash. If `atMs` is given, the run is shorter: it has no faults after the restart of the crashed
 * node, and ends when the new heights that must follow the restart have come.
 */
export function crashScenario(sweep: CrashSweep, { effect, when, crash, loss }: CrashPoint, atMs?: number): Scenario {
  const base = sweepScenario(sweep)
  const plannedCrash = { kind: 'crashAtEffect', at: 0, node: crashedNode(sweep), when, downMs: DOWN_MS } as const
  const crashes: Fault[] = [{ ...plannedCrash, effects: effect, crash, loss }]
  if (sweep.again !== undefined)
    crashes.push({ ...plannedCrash, ...sweep.again, effects: effect + sweep.again.effects })
  if (atMs === undefined) return { ...base, faults: [...crashes, ...base.faults] }
  const lastsMs = Math.min(base.lastsMs, atMs + DOWN_MS)
  return { ...base, lastsMs, faults: [...crashes, ...base.faults.filter(({ at }) => at <= lastsMs)] }
}

/** Records every place where the node can crash, in the run without a crash. */
export async function recordCrashes(sweep: CrashSweep): Promise<CrashRecord> {
  const places: CrashPlace[] = []
  const counts = { before: 0, after: 0 }
  const { lastsMs } = sweepScenario(sweep)
  let outlives = 0
  let last = ''
  let record: Omit<CrashRecord, 'places'> | undefined

  function watch(network: SimNetwork): void {
    const { scheduler } = network
    scheduler.after(lastsMs, () => {
      record = describe(network, crashedNode(sweep))
    })
    network.watchEffects((node, { kind, name }, when) => {
      if (node !== network.nodes[crashedNode(sweep)] || scheduler.now() > lastsMs) return
      // Two kinds of effects survive the crash: messages that were sent, and the application's commits.
      if (when === 'after' && (kind === 'send' || name === 'commit')) outlives++
      const state = [scheduler.happened(), node.disk.version(), outlives].join()
      places.push({
        effect: ++counts[when],
        when,
        name: `${kind} ${name}`,
        atMs: scheduler.now(),
        losses: { power: node.disk.losses('power'), kill: node.disk.losses('kill') },
        isSame: state === last,
      })
      last = state
    })
  }

  await runScenario(sweepScenario(sweep), { onNetwork: watch })
  if (record === undefined)
    throw new WorldError(WORLD_ERRORS.badState, 'the run ended before the time of the last crash')
  return { places, ...record }
}

function describe({ nodes, heightOf }: SimNetwork, index: number): Omit<CrashRecord, 'places'> {
  const node = nodes[index]
  const engine = node?.engine()
  if (node === undefined || engine === undefined)
    throw new WorldError(WORLD_ERRORS.badState, `the node ${index} does not run`)
  const { blockStore, stateStore } = engine
  const [from, to] = [blockStore.base(), heightOf(node)]
  let [txs, validatorChanges, extendedHeights] = [0, 0, 0]
  const validatorsOf = (height: number): string => {
    const set = stateStore.loadValidators(height)
    return set === undefined ? '' : bytesToHex(hashValidators(set))
  }
  for (let height = from; height <= to; height++) {
    txs += blockStore.loadBlock(height)?.data.txs.length ?? 0
    if (height > from && validatorsOf(height) !== validatorsOf(height - 1)) validatorChanges++
    if (blockStore.loadExtendedCommit(height) !== undefined) extendedHeights++
  }
  return { heights: to - from + 1, txs, validatorChanges, extendedHeights }
}

/**
 * Returns the crashes to run. If a crash at a place has the same result as a crash at the place before it, the place is
 * left out. A crash at one place can have several outcomes, because different parts of the unsynced data can be lost.
 * The parameter `most` is the maximum number of outcomes to try for one place and one kind of crash.
 */
export function crashPoints(
  places: readonly CrashPlace[],
  most = MAX_CRASH_OUTCOMES,
): readonly (CrashPoint & { readonly atMs: number })[] {
  return places.flatMap(({ effect, when, atMs, losses, isSame }, index) => {
    if (isSame) return []
    const ways = (crash: CrashKind, count: number): (CrashPoint & { atMs: number })[] => {
      const all = Math.min(losses[crash], MAX_CRASH_OUTCOMES)
      // If not all outcomes are tried, the first index differs from place to place, so the sweep covers more outcomes.
      const from = count < all ? index * count : 0
      return Array.from({ length: Math.min(all, count) }, (_, i) => ({
        effect,
        when,
        crash,
        loss: (from + i) % all,
        atMs,
      }))
    }
    // A power failure that loses nothing has the same result as the death of the process. So if every outcome of a
    // power failure is tried, the death of the process needs no run of its own. If `most` is below
    // {@link MAX_CRASH_OUTCOMES}, the caller wants a short sweep. A short sweep leaves out the death of the process
    // too, although it may not try every outcome of a power failure.
    const isAll = losses.power <= most || most < MAX_CRASH_OUTCOMES
    return isAll ? ways('power', most) : [...ways('power', most), ...ways('kill', most)]
  })
}
