import { dirname } from 'node:path'
import type { Files, OpenFile } from '@org/engine/storage'
import type { Life } from '../world/index.ts'
import type { CrashKind, Disk } from './disk.ts'
import { endsOf, type FileEnd } from './file-end.ts'
import type { Choice } from './loss.ts'

/** The content of a file, independent of its names. */
interface Inode {
  bytes: Uint8Array
  size: number
  /** The number of first bytes that are synced. */
  synced: number
  /** The end of each write that is not synced. */
  ends: number[]
}

interface NameChange {
  readonly path: string
  readonly inode: Inode | undefined
  /** The old name of a rename. */
  readonly from?: string
}

/**
 * Files with the rules of a disk: contents and names become durable separately, and a power failure damages what is
 * not durable.
 */
export interface SimFiles {
  readonly of: (life: Life) => Files
  /** Writes a file, durably. */
  readonly place: (path: string, bytes: Uint8Array) => void
  readonly read: (path: string) => Uint8Array | undefined
  readonly save: () => SavedFiles
  readonly restore: (saved: SavedFiles) => void
}

export type SavedFiles = ReadonlyMap<string, Uint8Array>

function append(inode: Inode, part: Uint8Array): void {
  if (inode.size + part.length > inode.bytes.length) {
    const grown = new Uint8Array(Math.max(2 * inode.bytes.length, inode.size + part.length, 256))
    grown.set(inode.bytes.subarray(0, inode.size))
    inode.bytes = grown
  }
  inode.bytes.set(part, inode.size)
  inode.size += part.length
}

const newInode = (bytes: Uint8Array, synced: number): Inode => ({ bytes, size: bytes.length, synced, ends: [] })

const missing = (path: string): Error =>
  Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT', syscall: 'open' })

export function createSimFiles(disk: Disk): SimFiles {
  let live = new Map<string, Inode>()
  let durable = new Map<string, Inode>()
  /** Changes of names that are not durable yet, in order. */
  let changes: NameChange[] = []
  /** Changes that were requested and have not ended. */
  const underWay = new Set<NameChange>()

  function happen(change: NameChange): void {
    const { path, inode, from } = change
    if (from !== undefined) live.delete(from)
    if (inode === undefined) live.delete(path)
    else live.set(path, inode)
    changes.push(change)
  }

  const link = (path: string, inode: Inode | undefined): void => happen({ path, inode })

  function later(life: Life, kind: 'rename' | 'write', change: NameChange): Promise<void> {
    const apply = (): void => {
      underWay.delete(change)
      happen(change)
    }
    const done = disk.later(life, { kind, name: change.path }, { apply, isSync: false, isOwnLoss: true })
    if (life.isAlive()) underWay.add(change)
    return done.finally(() => underWay.delete(change))
  }

  function settleName({ path, inode, from }: NameChange): void {
    if (from !== undefined) durable.delete(from)
    if (inode === undefined) durable.delete(path)
    else durable.set(path, inode)
  }

  const contents = (path: string): Uint8Array | undefined => {
    const inode = live.get(path)
    return inode?.bytes.slice(0, inode.size)
  }

  function place(path: string, bytes: Uint8Array): void {
    const inode = newInode(bytes.slice(), bytes.length)
    live.set(path, inode)
    durable.set(path, inode)
  }

  /** Changes of one name happen in their order; changes without a common name, in any order. */
  function chains(): (readonly NameChange[])[] {
    const all = [...changes, ...underWay]
    const found: { readonly paths: readonly string[]; readonly changes: readonly NameChange[] }[] = []
    for (const change of all) {
      const paths = [change.path, ...(change.from === undefined ? [] : [change.from])]
      const mine = found.filter((chain) => chain.paths.some((path) => paths.includes(path)))
      for (const chain of mine) found.splice(found.indexOf(chain), 1)
      const before = mine.flatMap((chain) => chain.changes).sort((a, b) => all.indexOf(a) - all.indexOf(b))
      found.push({ paths: [...mine.flatMap((chain) => chain.paths), ...paths], changes: [...before, change] })
    }
    return found.map((chain) => chain.changes)
  }

  function choices(kind: CrashKind): Choice[] {
    return kind === 'kill' ? choicesOfKill() : choicesOfPower()
  }

  /** All data that the process had written is kept, and any subset of the requested renames. */
  function choicesOfKill(): Choice[] {
    return [...underWay].map((change): Choice => {
      const take = (way: number): void => {
        if (way === 1) happen(change)
        underWay.delete(change)
      }
      return { ways: 2, take }
    })
  }

  function choicesOfPower(): Choice[] {
    const names = chains().map((chain): Choice => {
      const take = (way: number): void => {
        for (const change of chain.slice(0, way)) settleName(change)
      }
      return { ways: chain.length + 1, take }
    })
    const inodes = new Set([
      ...live.values(),
      ...durable.values(),
      ...[...changes, ...underWay].flatMap(({ inode }) => inode ?? []),
    ])
    const torn = [...inodes].filter(({ size, synced }) => size > synced)
    const contentsOf = torn.map((inode): Choice => {
      const ways = endsOf(inode)
      const take = (way: number): void => {
        const { size, zeros } = ways[way] as FileEnd
        inode.size = size
        for (const [from, to] of zeros) inode.bytes.fill(0, from, to)
      }
      return { ways: ways.length, take }
    })
    const restart: Choice = {
      ways: 1,
      take: () => {
        changes = []
        underWay.clear()
        live = new Map(durable)
        for (const inode of live.values()) {
          inode.synced = inode.size
          inode.ends = []
        }
      },
    }
    return [...names, ...contentsOf, restart]
  }

  disk.add({ choices })

  function openFile(life: Life, path: string, mode: 'append' | 'create'): OpenFile {
    let inode = live.get(path)
    if (inode === undefined || mode === 'create') {
      const fresh = newInode(new Uint8Array(0), 0)
      disk.now(life, { kind: 'create', name: path }, { apply: () => link(path, fresh), inert: undefined })
      inode = fresh
    }
    const file = inode
    return {
      size: file.size,
      write: (parts) => {
        const total = parts.reduce((sum, part) => sum + part.length, 0)
        const apply = (): number => {
          for (const part of parts) append(file, part)
          file.ends.push(file.size)
          return total
        }
        return disk.now(life, { kind: 'write', name: path }, { apply, inert: total })
      },
      sync: () => {
        const upTo = file.size
        const apply = (): void => {
          file.synced = Math.max(file.synced, upTo)
          file.ends = file.ends.filter((end) => end > file.synced)
        }
        return disk.later(life, { kind: 'sync', name: path }, { apply, isSync: true, isOwnLoss: true })
      },
      close: () => undefined,
    }
  }

  function renaming(from: string, path: string): NameChange {
    const inode = live.get(from)
    if (inode === undefined) throw missing(from)
    return { path, inode, from }
  }

  function of(life: Life): Files {
    const read = (path: string): Uint8Array => {
      const bytes = contents(path)
      if (bytes === undefined) throw missing(path)
      return bytes
    }
    return {
      size: (path) => live.get(path)?.size,
      list: (directory) =>
        [...live.keys()].filter((path) => dirname(path) === directory).map((path) => path.slice(directory.length + 1)),
      read,
      load: async (path) => {
        await life.wait(disk.dice.between(...disk.timing.writeMs))
        return read(path)
      },
      makeDirectory: () => undefined,
      removeDirectory: () => undefined,
      open: (path, mode) => openFile(life, path, mode),
      truncate: (path, size) => {
        const apply = (): void => {
          const inode = live.get(path)
          if (inode === undefined) throw missing(path)
          inode.size = Math.min(inode.size, size)
          inode.synced = inode.size
        }
        return disk.later(life, { kind: 'write', name: path }, { apply, isSync: true })
      },
      copy: async (from, to) => later(life, 'write', { path: to, inode: newInode(read(from), 0) }),
      rename: async (from, to) => later(life, 'rename', renaming(from, to)),
      renameNow: (from, to) =>
        disk.now(life, { kind: 'rename', name: to }, { apply: () => happen(renaming(from, to)), inert: undefined }),
      remove: (path) => {
        if (!live.has(path)) return
        disk.now(life, { kind: 'remove', name: path }, { apply: () => link(path, undefined), inert: undefined })
      },
      syncDirectory: (path) => {
        const apply = (): void => {
          const elsewhere: NameChange[] = []
          for (const change of changes) {
            if (dirname(change.path) === path) settleName(change)
            else elsewhere.push(change)
          }
          changes = elsewhere
        }
        return disk.later(life, { kind: 'syncDirectory', name: path }, { apply, isSync: true, isOwnLoss: true })
      },
    }
  }

  return {
    of,
    place,
    read: contents,
    save: () => new Map([...live.keys()].map((path) => [path, contents(path) as Uint8Array])),
    restore: (saved) => {
      live = new Map()
      durable = new Map()
      changes = []
      for (const [path, bytes] of saved) place(path, bytes)
    },
  }
}
