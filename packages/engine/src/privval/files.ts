import { existsSync } from 'node:fs'
import type { PrivateKey } from '@org/types/crypto'
import { type Files, NODE_FILES } from '../files/index.ts'
import { PRIVVAL_ERRORS, PrivvalError } from './errors.ts'
import { createSigner, type SignerModules } from './file-privval.ts'
import { loadKeyFile, saveKeyFile } from './key-file.ts'
import type { PrivValidator } from './priv-validator.ts'
import { INITIAL_SIGN_STATE, loadSignState, saveSignState } from './sign-state.ts'

/** The paths of the two files of a validator key: the key, and what it signed last. */
export interface PrivvalFiles {
  readonly keyFile: string
  readonly stateFile: string
}

/**
 * Loads the validator of a home. Throws `PRIVVAL_FILE_MISSING`, `PRIVVAL_FILE_CORRUPT`, `PRIVVAL_IO`; overwrites
 * nothing.
 */
export function loadFilePrivval({ keyFile, stateFile }: PrivvalFiles): PrivValidator {
  return createStateFileSigner(loadKeyFile(keyFile), stateFile)
}

/**
 * Creates a signer that stores its last signature in a file. Throws `PRIVVAL_FILE_MISSING`, `PRIVVAL_FILE_CORRUPT`,
 * `PRIVVAL_IO`.
 */
export function createStateFileSigner(
  key: PrivateKey,
  stateFile: string,
  { files = NODE_FILES, ...modules }: { readonly files?: Files } & Pick<SignerModules, 'sign'> = {},
): PrivValidator {
  return createSigner(key, loadSignState(stateFile, files), {
    ...modules,
    save: (state, after) => saveSignState(stateFile, state, { after, files }),
  })
}

/** Writes a key (by default a new one) and an initial state. Overwrites both files. Throws `PRIVVAL_IO`. */
export async function generateFilePrivval(files: PrivvalFiles, key?: PrivateKey): Promise<PrivateKey> {
  const written = await saveKeyFile(files.keyFile, key)
  await saveSignState(files.stateFile, INITIAL_SIGN_STATE)
  return written
}

/**
 * Does the same as {@link generateFilePrivval}, but only for a home in which nothing was signed. If the state file
 * shows a signature, throws `PRIVVAL_KEY_GONE`. The old key may then still exist, for example on a volume that is not
 * mounted yet. If this function overwrote the state file with an empty state, the old key could later sign a second
 * block for the same height and round.
 */
export async function generateFirstFilePrivval(files: PrivvalFiles, key?: PrivateKey): Promise<PrivateKey> {
  const { keyFile, stateFile } = files
  if (existsSync(stateFile)) {
    const { height } = loadSignState(stateFile)
    if (height > 0) {
      const message =
        `there is no private validator key file ${keyFile}, but its key signed up to height ${height} (${stateFile}): ` +
        'put the key file back. To use a new key on purpose, move the state file away first'
      throw new PrivvalError(PRIVVAL_ERRORS.keyGone, message, { data: { path: keyFile, stateFile, height } })
    }
  }
  return generateFilePrivval(files, key)
}

/**
 * Loads the validator of a home. If the key file is missing, writes the files first, as {@link
 * generateFirstFilePrivval} does.
 */
export async function loadOrGenerateFilePrivval(files: PrivvalFiles, key?: PrivateKey): Promise<PrivValidator> {
  if (!existsSync(files.keyFile)) await generateFirstFilePrivval(files, key)
  return loadFilePrivval(files)
}

/**
 * Clears the sign state and keeps the key. If the home has no key, makes a key. This is unsafe: the validator can then
 * sign two different blocks at one height and round.
 */
export async function resetFilePrivval(files: PrivvalFiles): Promise<PrivateKey> {
  if (!existsSync(files.keyFile)) return generateFilePrivval(files)
  const key = loadKeyFile(files.keyFile)
  await saveSignState(files.stateFile, INITIAL_SIGN_STATE)
  return key
}
