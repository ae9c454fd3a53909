import { join } from 'node:path'
import { loadKeyFile } from '@org/engine/privval'
import type { Logger } from '@org/runtime'
import type { HomePaths } from '../config/index.ts'
import type { CommandContext } from '../context.ts'
import { ensureFolder, exists, removeAll } from '../home/files.ts'
import { checkFolderUnused, checkHomeUnused } from '../home/lock/index.ts'
import { openHome } from '../home/open-home.ts'
import { resetValidator } from '../home/validator-files.ts'

const STATE_FOLDERS = ['blockstore.db', 'state.db', 'cs.wal', 'evidence.db', 'tx_index.db'] as const

/** Throws if the validator's key is damaged, before the command removes or writes anything. */
function checkValidatorKey({ privValidatorKey }: HomePaths): void {
  if (exists(privValidatorKey)) loadKeyFile(privValidatorKey)
}

async function forgetSigned(paths: HomePaths, logger: Logger): Promise<void> {
  const files = { keyFile: paths.privValidatorKey, stateFile: paths.privValidatorState }
  const found = exists(paths.privValidatorKey)
  await resetValidator(paths)
  logger.info(found ? 'Reset private validator file to genesis state' : 'Generated private validator file', files)
}

/** Removes databases and WAL; keys and sign state stay. */
export function resetState(context: CommandContext): number {
  const { paths, logger, flush } = openHome(context, { create: true })
  checkHomeUnused(paths.databases)
  for (const name of STATE_FOLDERS) {
    const path = join(paths.databases, name)
    if (!exists(path)) continue
    removeAll(path)
    logger.info(`Removed ${name === 'tx_index.db' ? '' : 'all '}${name}`, { dir: path })
  }
  ensureFolder(paths.databases)
  flush()
  return 0
}

export interface ResetAllOptions {
  readonly keepAddrBook?: boolean
}

/** Removes all data of a chain, and the sign state. */
export async function resetAll(context: CommandContext, { keepAddrBook = false }: ResetAllOptions): Promise<number> {
  const { paths, logger, flush } = openHome(context, { create: true })
  checkFolderUnused(paths.databases)
  checkValidatorKey(paths)
  if (keepAddrBook) logger.info('The address book remains intact')
  else if (exists(paths.addressBook)) {
    removeAll(paths.addressBook)
    logger.info('Removed existing address book', { file: paths.addressBook })
  }
  if (exists(paths.databases)) removeAll(paths.databases)
  logger.info('Removed all blockchain history', { dir: paths.databases })
  ensureFolder(paths.databases)
  await forgetSigned(paths, logger)
  flush()
  return 0
}

export async function resetPrivValidator(context: CommandContext): Promise<number> {
  const { paths, logger, flush } = openHome(context, { create: true })
  checkHomeUnused(paths.databases)
  checkValidatorKey(paths)
  await forgetSigned(paths, logger)
  flush()
  return 0
}
