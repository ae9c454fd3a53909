import type { Dice, Life, Trace } from '../world/index.ts'
import { type Choice, countWays, waysOf } from './loss.ts'

/** One thing done to a disk, as a crash can come before or after it. */
export interface DiskOp {
  /** Counts all operations of the node, over its lives. */
  readonly number: number
  readonly kind: 'write' | 'sync' | 'rename' | 'remove' | 'create' | 'syncDirectory'
  /** A path, or a database. */
  readonly name: string
}

export interface DiskTiming {
  /** A write that is forced to disk takes between these, in milliseconds. */
  readonly syncMs: readonly [low: number, high: number]
  /** One that is not. */
  readonly writeMs: readonly [low: number, high: number]
}

export const FAST_DISK: DiskTiming = { syncMs: [0.2, 2], writeMs: [0.02, 0.1] }

/** What is wrong with a disk now. */
export interface DiskFaults {
  full: boolean
  readOnly: boolean
  /** So many of the next syncs fail. */
  failSyncs: number
  /** Everything takes so many times as long. */
  slowness: number
  /** So does what is done to one database, or to the paths that begin so. */
  readonly slownessOf: Record<string, number>
}

/** `kill`: the process dies, the machine lives. `power`: what was not forced to disk may be lost. */
export type CrashKind = 'kill' | 'power'

/** A part of a disk that knows what a crash can take of it. */
export interface Losable {
  readonly choices: (kind: CrashKind) => readonly Choice[]
}

/** Of a crash with more ends than that only so many are looked at. */
export const MOST_LOSSES = 24

/** The disk of one node. It outlives the node's lives. */
export interface Disk {
  readonly faults: DiskFaults
  readonly timing: DiskTiming
  readonly dice: Dice
  readonly operations: () => number
  /** Another number whenever something on it may be another, or is under way. */
  readonly version: () => number
  /** Does something at once. After the end of the life nothing is done, and `inert` comes back. */
  readonly now: <T>(life: Life, op: Pick<DiskOp, 'kind' | 'name'>, act: DiskAct<T>) => T
  /** Does something that takes its time. Never resolves after the end of the life. */
  readonly later: (life: Life, op: Pick<DiskOp, 'kind' | 'name'>, act: DiskWork) => Promise<void>
  readonly add: (part: Losable) => void
  /** How many different ends a crash can have now. */
  readonly losses: (kind: CrashKind) => number
  /**
   * After the end of a life: what was under way happened or not, what was not forced is lost in parts. `loss` is the number of one
   * of its ends; without it chance decides.
   */
  readonly crash: (kind: CrashKind, loss?: number) => void
}

export interface DiskAct<T> {
  readonly apply: () => T
  readonly inert: T
}

export interface DiskWork {
  readonly apply: () => void
  readonly isSync: boolean
  /** It needs room on a disk that takes writes. Default: all but a sync, which only forces what was written before. */
  readonly isWrite?: boolean
  /** After a crash, whoever gave it says by itself what of it is there. Default: it happened whole or not at all. */
  readonly isOwnLoss?: boolean
  /** The error that a fault gives. */
  readonly fault?: ((fault: 'full' | 'readOnly' | 'io') => Error) | undefined
}

export interface DiskModules {
  readonly dice: Dice
  readonly trace: Trace
  readonly node: string
  /** Told before and after each operation; may end the node's life. */
  readonly onOp: (op: DiskOp, when: 'before' | 'after') => void
}

/** An error as the system gives it. */
export function systemError(fault: 'full' | 'readOnly' | 'io', syscall: string): Error {
  const [code, text] = {
    full: ['ENOSPC', 'no space left on device'],
    readOnly: ['EROFS', 'read-only file system'],
    io: ['EIO', 'i/o error'],
  }[fault] as [string, string]
  return Object.assign(new Error(`${code}: ${text}, ${syscall}`), { code, syscall })
}

const ioErrorOf =
  ({ kind }: Pick<DiskOp, 'kind'>) =>
  (what: 'full' | 'readOnly' | 'io'): Error =>
    systemError(what, kind)

export function createDisk(timing: DiskTiming, { dice, trace, node, onOp }: DiskModules): Disk {
  const faults: DiskFaults = { full: false, readOnly: false, failSyncs: 0, slowness: 1, slownessOf: {} }
  const parts: Losable[] = []
  const underWay = new Set<() => void>()
  let operations = 0
  let version = 0

  function begin({ kind, name }: Pick<DiskOp, 'kind' | 'name'>): DiskOp {
    const op: DiskOp = { number: ++operations, kind, name }
    trace.note(node, 'disk', op.number, kind, name)
    onOp(op, 'before')
    return op
  }

  function faultOf(isSync: boolean, isWrite: boolean): 'full' | 'readOnly' | 'io' | undefined {
    if (isWrite && faults.readOnly) return 'readOnly'
    if (isWrite && faults.full) return 'full'
    if (!isSync || faults.failSyncs === 0) return undefined
    faults.failSyncs--
    return 'io'
  }

  function slownessOf(name: string): number {
    for (const slow in faults.slownessOf) {
      if (name.startsWith(slow)) return faults.slowness * (faults.slownessOf[slow] ?? 1)
    }
    return faults.slowness
  }

  /** Forcing something that a crash overtook is one of the ways in which nothing of it was lost. */
  function choicesOf(kind: CrashKind): Choice[] {
    const either = [...underWay].map(
      (apply): Choice => ({
        ways: 2,
        take: (way) => {
          if (way === 1) apply()
        },
      }),
    )
    return [...either, ...parts.flatMap((part) => part.choices(kind))]
  }

  return {
    faults,
    timing,
    dice,
    operations: () => operations,
    version: () => version,
    now: (life, given, { apply, inert }) => {
      if (!life.isAlive()) return inert
      const op = begin(given)
      if (!life.isAlive()) return inert
      const fault = faultOf(false, true)
      if (fault !== undefined) throw systemError(fault, op.kind)
      const result = apply()
      version++
      onOp(op, 'after')
      return result
    },
    later: (
      life,
      given,
      { apply, isSync, isWrite = given.kind !== 'sync', isOwnLoss = false, fault = ioErrorOf(given) },
    ) =>
      new Promise((resolve, reject) => {
        if (!life.isAlive()) return
        const op = begin(given)
        if (!life.isAlive()) return
        version++
        const [low, high] = isSync ? timing.syncMs : timing.writeMs
        if (!isOwnLoss) underWay.add(apply)
        life.later(dice.between(low, high) * slownessOf(op.name), () => {
          underWay.delete(apply)
          version++
          const what = faultOf(isSync, isWrite)
          if (what !== undefined) return reject(fault(what))
          apply()
          onOp(op, 'after')
          if (life.isAlive()) resolve()
        })
      }),
    add: (part) => void parts.push(part),
    losses: (kind) => countWays(choicesOf(kind)),
    crash: (kind, loss) => {
      const choices = choicesOf(kind)
      const isSpread = countWays(choices) > MOST_LOSSES
      const ways =
        loss === undefined ? choices.map((choice) => dice.below(choice.ways)) : waysOf(choices, loss, isSpread)
      version++
      for (const [place, { take }] of choices.entries()) take(ways[place] as number)
      underWay.clear()
      trace.note(node, 'disk crash', kind, ways.filter((_, place) => (choices[place]?.ways ?? 1) > 1).join('/'))
    },
  }
}
