import { dirname } from 'node:path'
import type { Files, OpenFile } from '@org/engine/files'
import type { Life } from '../world/index.ts'
import type { Disk } from './disk.ts'

/** The contents of a file, whatever its names are. */
interface Inode {
  bytes: Uint8Array
  size: number
  /** So many of the first bytes are on the disk. */
  synced: number
}

interface NameChange {
  readonly path: string
  readonly inode: Inode | undefined
  /** Where it was before, of a rename. */
  readonly from?: string
}

/** Files with the rules of a disk: contents and names are durable apart, and a loss of power tears what is neither. */
export interface SimFiles {
  readonly of: (life: Life) => Files
  /** Puts a file there, durably. */
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

const missing = (path: string): Error =>
  Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT', syscall: 'open' })

export function createSimFiles(disk: Disk): SimFiles {
  let live = new Map<string, Inode>()
  let durable = new Map<string, Inode>()
  /** Changes of names that are not on the disk yet, in order. */
  let changes: NameChange[] = []

  function link(path: string, inode: Inode | undefined): void {
    if (inode === undefined) live.delete(path)
    else live.set(path, inode)
    changes.push({ path, inode })
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
    const inode = { bytes: bytes.slice(), size: bytes.length, synced: bytes.length }
    live.set(path, inode)
    durable.set(path, inode)
  }

  disk.add({
    losePower: (dice) => {
      // Names change in order: a journal keeps a beginning of what was not synced.
      const kept = dice.below(changes.length + 1)
      for (const change of changes.slice(0, kept)) settleName(change)
      changes = []
      for (const inode of new Set(durable.values())) {
        inode.size = inode.synced + dice.below(inode.size - inode.synced + 1)
        inode.synced = inode.size
      }
      live = new Map(durable)
    },
  })

  function openFile(life: Life, path: string, mode: 'append' | 'replace'): OpenFile {
    let inode = live.get(path)
    if (inode === undefined || mode === 'replace') {
      const fresh: Inode = { bytes: new Uint8Array(0), size: 0, synced: 0 }
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
          return total
        }
        return disk.now(life, { kind: 'write', name: path }, { apply, inert: total })
      },
      sync: () => {
        const upTo = file.size
        const apply = (): void => {
          file.synced = Math.max(file.synced, upTo)
        }
        return disk.later(life, { kind: 'sync', name: path }, { apply, isSync: true })
      },
      close: () => undefined,
    }
  }

  function rename(from: string, to: string): void {
    const inode = live.get(from)
    if (inode === undefined) throw missing(from)
    live.delete(from)
    live.set(to, inode)
    changes.push({ path: to, inode, from })
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
      copy: (from, to) => {
        const apply = (): void => {
          const bytes = read(from)
          link(to, { bytes, size: bytes.length, synced: 0 })
        }
        return disk.later(life, { kind: 'write', name: to }, { apply, isSync: false })
      },
      rename: (from, to) =>
        disk.later(life, { kind: 'rename', name: to }, { apply: () => rename(from, to), isSync: false }),
      renameNow: (from, to) =>
        disk.now(life, { kind: 'rename', name: to }, { apply: () => rename(from, to), inert: undefined }),
      remove: (path) => {
        if (!live.has(path)) return
        disk.now(life, { kind: 'remove', name: path }, { apply: () => link(path, undefined), inert: undefined })
      },
      syncDirectory: (path) => {
        const apply = (): void => {
          const [here, elsewhere] = [changes.filter(isIn(path)), changes.filter((change) => !isIn(path)(change))]
          for (const change of here) settleName(change)
          changes = elsewhere
        }
        return disk.later(life, { kind: 'syncDirectory', name: path }, { apply, isSync: true })
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

const isIn =
  (directory: string) =>
  ({ path }: NameChange): boolean =>
    dirname(path) === directory
