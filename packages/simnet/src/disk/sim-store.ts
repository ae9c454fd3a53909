import { createMemoryStore, del, type KeyValueStore, type Op, put, STORE_ERRORS, StoreError } from '@org/engine/storage'
import { utf8ToBytes } from '@org/types/bytes'
import type { Life } from '../world/index.ts'
import type { CrashKind, Disk } from './disk.ts'
import type { Choice } from './loss.ts'

/**
 * The maximum number of batches that the database writes at the same time. Further batches wait until one of them ends.
 */
const MAX_UNDER_WAY = 4

type Given = Parameters<KeyValueStore['write']>[0]

/** Copies the operations, because the caller may use its buffers again. */
function takeAll(given: Given): readonly Op[] {
  if (typeof given !== 'function')
    return Array.from(given, (op) => (op.type === 'put' ? put(op.key, op.value.slice()) : op))
  const ops: Op[] = []
  const bytesOf = (key: string | Uint8Array): Uint8Array => (typeof key === 'string' ? utf8ToBytes(key) : key.slice())
  given({
    put: (key, value) => void ops.push(put(bytesOf(key), value.slice())),
    del: (key) => void ops.push(del(bytesOf(key))),
  })
  return ops
}

/** A database of one node. It keeps its data over all lives of the node. */
export interface SimStore {
  readonly open: (life: Life) => KeyValueStore
  readonly save: () => Promise<readonly Op[]>
  readonly restore: (saved: readonly Op[]) => Promise<void>
}

/** Returns the operations that bring the store back to its state before `ops`. */
function inverse(ops: readonly Op[], store: Pick<KeyValueStore, 'get'>): Op[] {
  return ops.map(({ key }) => {
    const before = store.get(key)
    return before === undefined ? del(key) : put(key, before)
  })
}

/**
 * A store in memory with LevelDB's rules for crashes. A batch is written completely or not at all. The last synced
 * batch, and all batches before it, survive a crash. A power failure may lose some of the later batches. The lost
 * batches are always the newest: if a batch is lost, all batches after it are lost too. Threads write several batches
 * at the same time. So at a crash, each batch whose write has not ended may be written already or not.
 */
export function createSimStore(name: string, disk: Disk): SimStore {
  let live = createMemoryStore({ ownsGiven: true })
  /** The operations that undo each unsynced batch, oldest first. */
  let undo: Op[][] = []
  /** Batches that were passed to the store and are not written yet. */
  const underWay = new Set<readonly Op[]>()

  /** Writes the operations into `live` before it returns, so the promise of `write` is ignored. */
  function writeNow(ops: Iterable<Op>): void {
    void live.write(ops)
  }

  function apply(ops: readonly Op[], isSync: boolean): void {
    if (isSync) undo = []
    else undo.push(inverse(ops, live))
    writeNow(ops)
  }

  /**
   * Returns the possible losses of a crash, which are of two kinds. In the first kind, some of the newest unsynced
   * batches are lost, and so are all batches in progress. In the second kind, no unsynced batch is lost, and each batch
   * in progress is written or not.
   */
  function choice(kind: CrashKind): Choice {
    const given = [...underWay].slice(0, MAX_UNDER_WAY)
    const shortened = kind === 'power' ? undo.length : 0
    const lose = (loss: number): void => {
      if (loss < shortened) for (const ops of undo.slice(loss).reverse()) writeNow(ops.reverse())
      else {
        for (const [bit, ops] of given.entries()) if (((loss - shortened) >> bit) % 2 === 1) apply(ops, false)
      }
      if (kind === 'power') undo = []
      underWay.clear()
    }
    return { lossCount: shortened + 2 ** given.length, lose }
  }

  disk.add({ choices: (kind) => [choice(kind)] })

  function fault(what: 'full' | 'readOnly' | 'io'): StoreError {
    return new StoreError(STORE_ERRORS[what], `the database ${name} cannot be written: ${what}`, { data: { name } })
  }

  return {
    open: (life) => {
      // When LevelDB opens a database, it writes its log into a table and syncs the table. The log also has the
      // unsynced batches, so all batches that were written before the opening are durable now.
      undo = []
      let closed = false
      const check = (): void => {
        if (closed) throw new StoreError(STORE_ERRORS.closed, `the database ${name} is closed`)
      }
      return {
        get: (key) => {
          check()
          return live.get(key)
        },
        has: (key) => {
          check()
          return live.has(key)
        },
        getMany: (keys) => live.getMany(keys),
        write: async (ops, { sync: isSync = false } = {}) => {
          check()
          const taken = takeAll(ops)
          const end = (): void => {
            underWay.delete(taken)
            apply(taken, isSync)
          }
          const act = { apply: end, isSync, isWrite: true, isOwnLoss: true, fault }
          const done = disk.later(life, { kind: isSync ? 'sync' : 'write', name }, act)
          if (life.isAlive()) underWay.add(taken)
          await done.finally(() => underWay.delete(taken))
        },
        iterate: (range) => live.iterate(range),
        keys: (range) => live.keys(range),
        chunks: (range) => live.chunks(range),
        keyTexts: (range) => live.keyTexts(range),
        entryTexts: (range) => live.entryTexts(range),
        valueTexts: (range) => live.valueTexts(range),
        close: async () => {
          closed = true
        },
      }
    },
    save: async () => {
      const ops: Op[] = []
      for await (const [key, value] of live.iterate()) ops.push(put(key, value))
      return ops
    },
    restore: async (saved) => {
      live = createMemoryStore({ ownsGiven: true })
      undo = []
      underWay.clear()
      await live.write(saved)
    },
  }
}
