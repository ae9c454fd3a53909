import type { Life, RandomSource, Trace } from '../world/index.ts'
import { type Choice, countOutcomes, outcomeOf } from './loss.ts'

/** One operation on a disk; a crash can come before or after it. */
export interface DiskOp {
  /** The number of the operation, counted over all lives of the node. */
  readonly number: number
  readonly kind: 'write' | 'sync' | 'rename' | 'remove' | 'create' | 'syncDirectory'
  /** The path of a file, or the name of a database. */
  readonly name: string
}

export interface DiskTiming {
  /** The range of the duration of a synced write, in milliseconds. */
  readonly syncMs: readonly [low: number, high: number]
  /** The range of the duration of a write without a sync, in milliseconds. */
  readonly writeMs: readonly [low: number, high: number]
}

export const FAST_DISK: DiskTiming = { syncMs: [0.2, 2], writeMs: [0.02, 0.1] }

/** The present faults of a disk. */
export interface DiskFaults {
  full: boolean
  readOnly: boolean
  /** The number of syncs that fail, beginning with the next sync. */
  failSyncs: number
  /** The factor by which all operations are slower. */
  slowness: number
  /**
   * The factors by which single databases or files are slower, in addition to the factor `slowness` of all operations.
   * The key is the name of a database, or a prefix of the paths of files.
   */
  readonly slownessOf: Record<string, number>
}

/** `kill`: the process dies, the computer survives. `power`: data that was not synced may be lost. */
export type CrashKind = 'kill' | 'power'

/** A part of a disk, such as a database, that a crash can damage. */
export interface CrashDamageable {
  readonly choices: (kind: CrashKind) => readonly Choice[]
}

/** The maximum number of outcomes that are tried for one crash. */
export const MAX_CRASH_OUTCOMES = 24

/** The disk of one node. It survives the node's crashes. */
export interface Disk {
  readonly faults: DiskFaults
  readonly timing: DiskTiming
  readonly random: RandomSource
  readonly operations: () => number
  /** The version of the disk's content. It changes when an operation begins, when an operation ends, and at a crash. */
  readonly version: () => number
  /**
   * Performs an operation of a node at once, and returns its result. If the node's life has ended, does nothing and
   * returns `act.inert`, a result without a meaning.
   */
  readonly now: <T>(life: Life, op: Pick<DiskOp, 'kind' | 'name'>, act: ImmediateOperation<T>) => T
  /** Performs an operation that takes time. If the node's life has ended, the promise never resolves. */
  readonly later: (life: Life, op: Pick<DiskOp, 'kind' | 'name'>, act: TimedOperation) => Promise<void>
  readonly add: (part: CrashDamageable) => void
  /** The number of different outcomes that a crash can have now. */
  readonly losses: (kind: CrashKind) => number
  /**
   * Applies a crash to the disk after the end of a node's life. Each operation in progress happened or not, and part
   * of the unsynced data may be lost. `loss` is the index of the outcome; without it the outcome is random.
   */
  readonly crash: (kind: CrashKind, loss?: number) => void
}

export interface ImmediateOperation<T> {
  readonly apply: () => T
  readonly inert: T
}

export interface TimedOperation {
  readonly apply: () => void
  readonly isSync: boolean
  /**
   * True if the operation fails on a full or read-only disk. Default: true for all operations except a sync, which
   * writes no new data.
   */
  readonly isWrite?: boolean
  /**
   * True if the caller itself decides which part of the operation survives a crash. Default: after a crash the
   * operation has happened completely or not at all.
   */
  readonly isOwnLoss?: boolean
  /**
   * Makes the error with which the operation fails if the disk has this fault. Default: an error as the operating
   * system reports it.
   */
  readonly fault?: ((fault: 'full' | 'readOnly' | 'io') => Error) | undefined
}

export interface DiskModules {
  readonly random: RandomSource
  readonly trace: Trace
  readonly node: string
  /** Called before and after each operation on the disk. The callback may crash the node. */
  readonly onOp: (op: DiskOp, when: 'before' | 'after') => void
}

/** Returns an error as the operating system reports it. */
function systemError(fault: 'full' | 'readOnly' | 'io', syscall: string): Error {
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

export function createDisk(timing: DiskTiming, { random, trace, node, onOp }: DiskModules): Disk {
  const faults: DiskFaults = { full: false, readOnly: false, failSyncs: 0, slowness: 1, slownessOf: {} }
  const parts: CrashDamageable[] = []
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

  /**
   * Returns the choices that decide the outcome of a crash. A sync in progress adds no choice of its own. The choices
   * of each part of the disk already include both results of the sync: finished (no loss), or without effect (loss).
   */
  function choicesOf(kind: CrashKind): Choice[] {
    const either = [...underWay].map(
      (apply): Choice => ({
        lossCount: 2,
        lose: (loss) => {
          if (loss === 1) apply()
        },
      }),
    )
    return [...either, ...parts.flatMap((part) => part.choices(kind))]
  }

  return {
    faults,
    timing,
    random,
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
        life.later(random.between(low, high) * slownessOf(op.name), () => {
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
    losses: (kind) => countOutcomes(choicesOf(kind)),
    crash: (kind, loss) => {
      const choices = choicesOf(kind)
      const coversEachLoss = countOutcomes(choices) > MAX_CRASH_OUTCOMES
      const chosen =
        loss === undefined
          ? choices.map((choice) => random.below(choice.lossCount))
          : outcomeOf(choices, loss, coversEachLoss)
      version++
      for (const [place, { lose }] of choices.entries()) lose(chosen[place] as number)
      underWay.clear()
      trace.note(node, 'disk crash', kind, chosen.filter((_, place) => (choices[place]?.lossCount ?? 1) > 1).join('/'))
    },
  }
}
