import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A separate file system in memory. */
export interface SmallDisk {
  readonly path: string
  /** Changes the options of the mount, for example `size=60m` or `ro`. */
  readonly remount: (options: string) => void
}

const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'halley-disk-'))

const mount = (path: string, size: string): unknown =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'pipe' })

/** Returns true if this process may mount a file system. If not, prints which tests are skipped. */
export function canMount(what: string): boolean {
  const path = makeFolder()
  try {
    if (process.platform !== 'linux') throw new Error('tmpfs is a file system of Linux')
    mount(path, '1m')
    execFileSync('umount', [path], { stdio: 'pipe' })
    return true
  } catch {
    console.log(`skipped: ${what} need the right to mount a tmpfs`)
    return false
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}

/** Mounts a file system of this size, such as `3m`. The end of the test removes it. */
export function smallDisk(size: string): SmallDisk {
  const path = makeFolder()
  mount(path, size)
  onTestFinished(() => {
    execFileSync('umount', ['-l', path])
    rmSync(path, { recursive: true, force: true })
  })
  return { path, remount: (options) => void execFileSync('mount', ['-o', `remount,${options}`, path]) }
}
