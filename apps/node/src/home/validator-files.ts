import { dirname } from 'node:path'
import { generateFirstFilePrivval, loadKeyFile, type PrivvalFiles, resetFilePrivval } from '@org/engine/privval'
import type { PrivateKey } from '@org/types/crypto'
import { ensureFolder, exists } from './files.ts'

export interface ValidatorPaths {
  readonly privValidatorKey: string
  readonly privValidatorState: string
}

const filesOf = ({ privValidatorKey, privValidatorState }: ValidatorPaths): PrivvalFiles => ({
  keyFile: privValidatorKey,
  stateFile: privValidatorState,
})

function makeFolders({ keyFile, stateFile }: PrivvalFiles): void {
  for (const file of [keyFile, stateFile]) ensureFolder(dirname(file))
}

/**
 * The key of a home's validator, and whether it existed. Throws the errors of `@org/engine/privval`, and overwrites
 * nothing.
 */
export async function loadOrMakeValidator(
  paths: ValidatorPaths,
): Promise<{ readonly key: PrivateKey; readonly found: boolean }> {
  const files = filesOf(paths)
  if (exists(files.keyFile)) return { key: loadKeyFile(files.keyFile), found: true }
  makeFolders(files)
  return { key: await generateFirstFilePrivval(files), found: false }
}

/** Resets the sign state; makes a key if there is none. A validator that signs a height again can be punished. */
export async function resetValidator(paths: ValidatorPaths): Promise<void> {
  const files = filesOf(paths)
  makeFolders(files)
  await resetFilePrivval(files)
}
