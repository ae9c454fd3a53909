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
 * Reads the validator key of a home, or makes a key if the home has none. Overwrites nothing. `found` says whether the
 * key existed. Throws the errors of `@org/engine/privval`.
 */
export async function loadOrMakeValidator(
  paths: ValidatorPaths,
): Promise<{ readonly key: PrivateKey; readonly found: boolean }> {
  const files = filesOf(paths)
  if (exists(files.keyFile)) return { key: loadKeyFile(files.keyFile), found: true }
  makeFolders(files)
  return { key: await generateFirstFilePrivval(files), found: false }
}

/** Resets the sign state, and makes a missing key. A validator that then signs a height again can be punished. */
export async function resetValidator(paths: ValidatorPaths): Promise<void> {
  const files = filesOf(paths)
  makeFolders(files)
  await resetFilePrivval(files)
}
