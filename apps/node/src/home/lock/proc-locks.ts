import { readdirSync, readFileSync, statSync } from 'node:fs'

/** A file lock that a process holds: an entry of `/proc/locks`. */
export interface HeldLock {
  readonly kind: string
  readonly pid: number
  /** Hex major and minor number of the device. */
  readonly device: string
  readonly inode: number
}

/**
 * Reads lines such as `1: FLOCK  ADVISORY  WRITE 4242 fd:01:131084 0 EOF`. Skips lines with `->`: these processes still
 * wait for a lock.
 */
export function parseProcLocks(text: string): HeldLock[] {
  const held: HeldLock[] = []
  for (const line of text.split('\n')) {
    const match = /^\d+: (\w+)\s+\w+\s+\w+\s+(-?\d+)\s+([\da-f]+:[\da-f]+):(\d+)\s/i.exec(line)
    if (match === null) continue
    held.push({ kind: match[1] ?? '', pid: Number(match[2]), device: match[3] ?? '', inode: Number(match[4]) })
  }
  return held
}

/** Returns a device number as `/proc/locks` writes it. */
export function deviceText(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn)
  const minor = (device & 0xffn) | ((device >> 12n) & ~0xffn & 0xffffffffn)
  return `${major.toString(16).padStart(2, '0')}:${minor.toString(16).padStart(2, '0')}`
}

/**
 * Whether a process has the file open. On some file systems, the device number of a file in `/proc/locks` differs from
 * the one in `stat`. Then only this function shows that a lock belongs to the file.
 */
function hasOpen(pid: number, file: string): boolean {
  const wanted = statSync(file)
  try {
    return readdirSync(`/proc/${pid}/fd`).some((descriptor) => {
      try {
        const open = statSync(`/proc/${pid}/fd/${descriptor}`)
        return open.ino === wanted.ino && open.dev === wanted.dev
      } catch {
        return false
      }
    })
  } catch {
    return false
  }
}

/**
 * Finds the main file of Halley in the arguments of a process. The name of the process is not enough, because it is the
 * same for all programs of Node.js.
 */
const OURS = /\/(halley|node\/(src|dist|dist\/bundle|node_modules\/\.cache\/bundle)\/main\.m?[jt]s)\0/

const nameOf = (pid: number): string => {
  try {
    if (OURS.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))) return 'halley'
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

export interface LockHolder {
  readonly file: string
  readonly pid: number
  readonly name: string
}

/**
 * Returns the holder of a lock on one of these files. LevelDB in Go locks with flock, and LevelDB in C++ with fcntl.
 * Locks of the two kinds do not exclude each other, but `/proc/locks` lists both kinds. Returns `undefined` if no
 * process holds a lock, or if this system has no `/proc/locks`.
 */
export function findLockHolder(files: readonly string[]): LockHolder | undefined {
  let list: HeldLock[]
  try {
    list = parseProcLocks(readFileSync('/proc/locks', 'utf8'))
  } catch {
    return undefined
  }
  let departed: LockHolder | undefined
  for (const file of files) {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
    if (stat === undefined) continue
    const device = deviceText(stat.dev)
    for (const lock of list) {
      if (BigInt(lock.inode) !== stat.ino) continue
      if (lock.device !== device && !hasOpen(lock.pid, file)) continue
      const holder = { file, pid: lock.pid, name: nameOf(lock.pid) }
      if (holder.name !== '') return holder
      // The process with the id `lock.pid` took this lock and has ended. The lock remains, because another process
      // still has the file open. The search continues, because a later entry of the list may name a running process.
      departed ??= holder
    }
  }
  return departed
}
