import { dirname } from 'node:path'
import type { CrashKind } from './disk.ts'
import { endsOf, type FileEnd } from './file-end.ts'
import { type Inode, newInode } from './inode.ts'
import type { Choice } from './loss.ts'

/** A change of a file's name. A power failure can undo it until the directory of the file is synced. */
export interface NameChange {
  readonly path: string
  readonly inode: Inode | undefined
  /** The old name of a rename. */
  readonly from?: string
}

/**
 * The names of files. There are two versions: the names that the running process sees, and the names that remain after
 * a power failure.
 */
export interface FileNames {
  readonly get: (path: string) => Inode | undefined
  readonly paths: () => Iterable<string>
  /** Applies a change, which is not durable yet. */
  readonly happen: (change: NameChange) => void
  /** Records that a change was requested and is in progress. */
  readonly begin: (change: NameChange) => void
  readonly end: (change: NameChange) => void
  /** Makes the names in a directory durable. */
  readonly sync: (directory: string) => void
  /** Adds a file with this content. Its name and its content are durable at once. */
  readonly place: (path: string, bytes: Uint8Array) => void
  readonly clear: () => void
  /** The ways in which a crash can lose names and contents. */
  readonly choices: (kind: CrashKind) => Choice[]
}

/**
 * Groups the changes into chains: changes that have a name in common are in one chain, in the order of the calls. A
 * power failure keeps the first changes of a chain, and loses the changes after them. Each chain loses its changes
 * independently of the other chains.
 */
function chainsOf(all: readonly NameChange[]): (readonly NameChange[])[] {
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

export function createFileNames(): FileNames {
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

  function makeNameDurable({ path, inode, from }: NameChange): void {
    if (from !== undefined) durable.delete(from)
    if (inode === undefined) durable.delete(path)
    else durable.set(path, inode)
  }

  /** If the process dies, all written data is kept. A rename or copy in progress is complete or has no effect. */
  function choicesOfKill(): Choice[] {
    return [...underWay].map((change): Choice => {
      const lose = (loss: number): void => {
        if (loss === 1) happen(change)
        underWay.delete(change)
      }
      return { lossCount: 2, lose }
    })
  }

  function choicesOfPower(): Choice[] {
    const names = chainsOf([...changes, ...underWay]).map((chain): Choice => {
      const lose = (loss: number): void => {
        for (const change of chain.slice(0, loss)) makeNameDurable(change)
      }
      return { lossCount: chain.length + 1, lose }
    })
    const inodes = new Set([
      ...live.values(),
      ...durable.values(),
      ...[...changes, ...underWay].flatMap(({ inode }) => inode ?? []),
    ])
    const torn = [...inodes].filter(({ size, synced }) => size > synced)
    const contentsOf = torn.map((inode): Choice => {
      const ends = endsOf(inode)
      const lose = (loss: number): void => {
        const { size, zeros } = ends[loss] as FileEnd
        inode.size = size
        for (const [from, to] of zeros) inode.bytes.fill(0, from, to)
      }
      return { lossCount: ends.length, lose }
    })
    const restart: Choice = {
      lossCount: 1,
      lose: () => {
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

  return {
    get: (path) => live.get(path),
    paths: () => live.keys(),
    happen,
    begin: (change) => void underWay.add(change),
    end: (change) => void underWay.delete(change),
    sync: (directory) => {
      const elsewhere: NameChange[] = []
      for (const change of changes) {
        if (dirname(change.path) === directory) makeNameDurable(change)
        else elsewhere.push(change)
      }
      changes = elsewhere
    },
    place: (path, bytes) => {
      const inode = newInode(bytes.slice(), bytes.length)
      live.set(path, inode)
      durable.set(path, inode)
    },
    clear: () => {
      live = new Map()
      durable = new Map()
      changes = []
    },
    choices: (kind) => (kind === 'kill' ? choicesOfKill() : choicesOfPower()),
  }
}
