import { spawnSync } from 'node:child_process'
import { chownSync, lchownSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HALLEY, launch, type Running } from './process.ts'

/**
 * The id of the user to which these tests switch if they run as root. Root can open every file, so the tests need
 * another user.
 */
const OTHER = 65_534
const IS_SUPERUSER = process.getuid?.() === 0
const BECOME = ['--reuid', String(OTHER), '--regid', String(OTHER), '--clear-groups', HALLEY]

/**
 * Whether `halley` can run as a user who is not the superuser. This is impossible if the program `setpriv` is missing,
 * or if that user may not read this clone.
 */
export function canRunAsUser(): boolean {
  if (!IS_SUPERUSER) return process.platform !== 'win32'
  const isPossible = spawnSync('setpriv', [...BECOME, 'version'], { timeout: 30_000 }).status === 0
  if (!isPossible) process.stderr.write('skipped: halley cannot run here as another user than the superuser\n')
  return isPossible
}

/** Makes the user {@link OTHER} the owner of a folder, of its content, and of the temporary folder that contains it. */
export function giveToUser(folder: string): void {
  if (!IS_SUPERUSER) return
  chownSync(dirname(folder), OTHER, OTHER)
  chownSync(folder, OTHER, OTHER)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), OTHER, OTHER)
}

/** Runs `halley` as a user who is not the superuser. */
export function launchAsUser(args: readonly string[]): Running {
  return IS_SUPERUSER ? launch('setpriv', [...BECOME, ...args]) : launch(HALLEY, args)
}
