import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '@org/runtime'
import { type CommandContext, openHome } from '../cli/context.ts'
import type { HomePaths } from '../config/index.ts'
import { HOME_ERRORS, HomeError } from '../home/errors.ts'
import { ensureFolder, exists } from '../home/files.ts'
import { checkHomeUnused } from '../home/lock/index.ts'
import { makeValidator, readValidatorKey, resetSignState } from '../home/validator-files.ts'

const STATE_FOLDERS = ['blockstore.db', 'state.db', 'cs.wal', 'evidence.db', 'tx_index.db'] as const

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true })
  } catch (error) {
    throw new HomeError(HOME_ERRORS.unwritable, `cannot remove ${path}: ${String(error)}`, {
      data: { file: path },
      cause: error,
    })
  }
}

/** A damaged key stops a command before anything is removed or written. */
function checkValidatorKey({ privValidatorKey }: HomePaths): void {
  if (exists(privValidatorKey)) readValidatorKey(privValidatorKey)
}

function resetValidator(paths: HomePaths, logger: Logger): void {
  const files = { keyFile: paths.privValidatorKey, stateFile: paths.privValidatorState }
  if (exists(paths.privValidatorKey)) {
    resetSignState(paths)
    logger.info('Reset private validator file to genesis state', files)
  } else {
    makeValidator(paths)
    logger.info('Generated private validator file', files)
  }
}

/** Removes databases and WAL; keys and what was signed stay. */
export function resetState(context: CommandContext): number {
  const { paths, logger, flush } = openHome(context, { create: true })
  checkHomeUnused(paths.databases)
  for (const name of STATE_FOLDERS) {
    const path = join(paths.databases, name)
    if (!exists(path)) continue
    remove(path)
    logger.info(`Removed ${name === 'tx_index.db' ? '' : 'all '}${name}`, { dir: path })
  }
  ensureFolder(paths.databases)
  flush()
  return 0
}

export interface ResetAllOptions {
  readonly keepAddrBook?: boolean
}

/** Removes everything that a chain left, and forgets what was signed. */
export function resetAll(context: CommandContext, { keepAddrBook = false }: ResetAllOptions): number {
  const { paths, logger, flush } = openHome(context, { create: true })
  checkHomeUnused(paths.databases)
  checkValidatorKey(paths)
  if (keepAddrBook) logger.info('The address book remains intact')
  else if (exists(paths.addressBook)) {
    remove(paths.addressBook)
    logger.info('Removed existing address book', { file: paths.addressBook })
  }
  if (exists(paths.databases)) remove(paths.databases)
  logger.info('Removed all blockchain history', { dir: paths.databases })
  ensureFolder(paths.databases)
  resetValidator(paths, logger)
  flush()
  return 0
}

export function resetPrivValidator(context: CommandContext): number {
  const { paths, logger, flush } = openHome(context, { create: true })
  checkHomeUnused(paths.databases)
  checkValidatorKey(paths)
  resetValidator(paths, logger)
  flush()
  return 0
}
