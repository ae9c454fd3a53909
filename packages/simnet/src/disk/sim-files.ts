import { dirname } from 'node:path'
import type { Files, OpenFile } from '@org/engine/storage'
import type { Life } from '../world/index.ts'
import type { Disk } from './disk.ts'
import { createFileNames, type NameChange } from './file-names.ts'
import { append, type Inode, newInode } from './inode.ts'

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

const missing = (path: string): Error =>
  Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT', syscall: 'open' })

/** An open file of a process. */
function handleOf(disk: Disk, life: Life, { path, file }: { readonly path: string; readonly file: Inode }): OpenFile {
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

export function createSimFiles(disk: Disk): SimFiles {
  const names = createFileNames()
  const link = (path: string, inode: Inode | undefined): void => names.happen({ path, inode })

  function later(life: Life, kind: 'rename' | 'write', change: NameChange): Promise<void> {
    const apply = (): void => {
      names.end(change)
      names.happen(change)
    }
    const done = disk.later(life, { kind, name: change.path }, { apply, isSync: false, isOwnLoss: true })
    if (life.isAlive()) names.begin(change)
    return done.finally(() => names.end(change))
  }

  const contents = (path: string): Uint8Array | undefined => {
    const inode = names.get(path)
    return inode?.bytes.slice(0, inode.size)
  }

  disk.add({ choices: names.choices })

  function openFile(life: Life, path: string, mode: 'append' | 'create'): OpenFile {
    let inode = names.get(path)
    if (inode === undefined || mode === 'create') {
      const fresh = newInode(new Uint8Array(0), 0)
      disk.now(life, { kind: 'create', name: path }, { apply: () => link(path, fresh), inert: undefined })
      inode = fresh
    }
    return handleOf(disk, life, { path, file: inode })
  }

  function renaming(from: string, path: string): NameChange {
    const inode = names.get(from)
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
      size: (path) => names.get(path)?.size,
      list: (directory) =>
        [...names.paths()]
          .filter((path) => dirname(path) === directory)
          .map((path) => path.slice(directory.length + 1)),
      read,
      load: async (path) => {
        await life.wait(disk.random.between(...disk.timing.writeMs))
        return read(path)
      },
      makeDirectory: () => undefined,
      removeDirectory: () => undefined,
      open: (path, mode) => openFile(life, path, mode),
      truncate: (path, size) => {
        const apply = (): void => {
          const inode = names.get(path)
          if (inode === undefined) throw missing(path)
          inode.size = Math.min(inode.size, size)
          inode.synced = inode.size
        }
        return disk.later(life, { kind: 'write', name: path }, { apply, isSync: true })
      },
      copy: async (from, to) => later(life, 'write', { path: to, inode: newInode(read(from), 0) }),
      rename: async (from, to) => later(life, 'rename', renaming(from, to)),
      renameNow: (from, to) =>
        disk.now(
          life,
          { kind: 'rename', name: to },
          { apply: () => names.happen(renaming(from, to)), inert: undefined },
        ),
      remove: (path) => {
        if (names.get(path) === undefined) return
        disk.now(life, { kind: 'remove', name: path }, { apply: () => link(path, undefined), inert: undefined })
      },
      syncDirectory: (path) => {
        return disk.later(
          life,
          { kind: 'syncDirectory', name: path },
          { apply: () => names.sync(path), isSync: true, isOwnLoss: true },
        )
      },
    }
  }

  return {
    of,
    place: names.place,
    read: contents,
    save: () => new Map([...names.paths()].map((path) => [path, contents(path) as Uint8Array])),
    restore: (saved) => {
      names.clear()
      for (const [path, bytes] of saved) names.place(path, bytes)
    },
  }
}
