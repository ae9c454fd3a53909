import { bytesToHex } from '@org/types/bytes'
import { hashValidators } from '@org/types/validators'
import { type CrashKind, MOST_LOSSES } from '../disk/index.ts'
import type { Fault } from '../faults/index.ts'
import type { NetworkOptions, SimNetwork } from '../network/index.ts'
import type { Scenario } from './make-scenario.ts'
import { runScenario } from './run-scenario.ts'

/** One crash of the first node, at one of the things that it writes, asks its application or sends. */
export interface CrashPoint {
  /** Counts from 1: what it begins, for `before`; what it has done, for `after`. */
  readonly effect: number
  readonly when: 'before' | 'after'
  readonly crash: CrashKind
  /** The number of one of the ways to lose what is not forced to disk. */
  readonly loss: number
}

export interface CrashSweep {
  readonly heights: number
  /** 1 is a node that is alone: nobody can tell it what it forgot. */
  readonly validators: number
  readonly initialHeight?: number
  /** Databases, and paths, that take so many times as long as others: what waits for them is late. */
  readonly slow?: Readonly<Record<string, number>>
  /** Bytes of the log's head before it is renamed. Default: 60,000. */
  readonly walHeadSize?: number
  /** The application lets blocks go that are older than so many, and changes parameters every third height; nobody joins. Default: 0, neither. */
  readonly keepBlocks?: number
  /** It crashes once more, so many effects later. */
  readonly again?: { readonly effects: number; readonly crash: CrashKind; readonly loss?: number }
}

/** A place for a crash in the run that has none. */
export interface CrashPlace extends Pick<CrashPoint, 'effect' | 'when'> {
  readonly name: string
  readonly atMs: number
  /** So many ways a loss of power can go here, and a death of the process alone. */
  readonly losses: Readonly<Record<CrashKind, number>>
  /** Nothing that outlives the node has changed since the place before: a crash there is the same. */
  readonly isSame: boolean
}

/** The run without a crash. */
export interface CrashRecord {
  readonly places: readonly CrashPlace[]
  readonly heights: number
  readonly txs: number
  /** Heights with other validators than the one before, and with extensions in the votes that the next one brings. */
  readonly validatorChanges: number
  readonly extendedHeights: number
}

/** Rounds that fail take longer. */
const HEIGHT_MS = { alone: 212, several: 265 }
const BEGINNING_MS = 500
const LOAD = 60
const DOWN_MS = 400

/** A run with load, changes of validators and vote extensions: the same up to the crash, whatever the crash is. */
function sweepScenario({
  heights,
  validators,
  initialHeight = 1,
  walHeadSize = 60_000,
  slow = {},
  keepBlocks = 0,
}: CrashSweep): Scenario & { readonly lastsMs: number } {
  const lastsMs = BEGINNING_MS + heights * (validators === 1 ? HEIGHT_MS.alone : HEIGHT_MS.several)
  const network: Partial<NetworkOptions> = {
    validators,
    // Who is away longer than blocks are kept can come back by state sync alone.
    fullNodes: keepBlocks === 0 ? 1 : 0,
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
 * The run with a crash in it. With the time of the crash it ends soon after: what was to happen later is left out, and the heights that
 * must come after each run's last fault come now.
 */
export function crashScenario(sweep: CrashSweep, { effect, when, crash, loss }: CrashPoint, atMs?: number): Scenario {
  const base = sweepScenario(sweep)
  const trap = { kind: 'crashAtEffect', at: 0, node: 0, when, downMs: DOWN_MS } as const
  const crashes: Fault[] = [{ ...trap, effects: effect, crash, loss }]
  if (sweep.again !== undefined) crashes.push({ ...trap, ...sweep.again, effects: effect + sweep.again.effects })
  if (atMs === undefined) return { ...base, faults: [...crashes, ...base.faults] }
  const lastsMs = Math.min(base.lastsMs, atMs + DOWN_MS)
  return { ...base, lastsMs, faults: [...crashes, ...base.faults.filter(({ at }) => at <= lastsMs)] }
}

/** Everywhere that the first node can crash, in the run without a crash. */
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
      record = describe(network)
    })
    network.watchEffects((node, { kind, name }, when) => {
      if (node !== network.nodes[0] || scheduler.now() > lastsMs) return
      // What it has sent, and what its application has kept.
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
  if (record === undefined) throw new Error('the run was over before its time')
  return { places, ...record }
}

function describe({ nodes: [node], heightOf }: SimNetwork): Omit<CrashRecord, 'places'> {
  const engine = node?.engine()
  if (node === undefined || engine === undefined) throw new Error('the first node does not run')
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
 * The crashes that are worth a run: of places where a crash is the same, one; of each, every loss. With `most` only so many a place,
 * others at each.
 */
export function crashPoints(
  places: readonly CrashPlace[],
  most = MOST_LOSSES,
): readonly (CrashPoint & { readonly atMs: number })[] {
  return places.flatMap(({ effect, when, atMs, losses, isSame }, index) => {
    if (isSame) return []
    const ways = (crash: CrashKind, count: number): (CrashPoint & { atMs: number })[] => {
      const all = Math.min(losses[crash], MOST_LOSSES)
      const from = count < all ? index * count : 0
      return Array.from({ length: Math.min(all, count) }, (_, i) => ({
        effect,
        when,
        crash,
        loss: (from + i) % all,
        atMs,
      }))
    }
    // Where every loss of power is tried, those that lose nothing are the deaths of the process.
    const isAll = losses.power <= most || most < MOST_LOSSES
    return isAll ? ways('power', most) : [...ways('power', most), ...ways('kill', most)]
  })
}
