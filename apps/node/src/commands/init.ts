import type { Logger, Random } from '@org/runtime'
import { publicKeyOf } from '@org/types/crypto'
import type { Time } from '@org/types/time'
import { type CommandContext, openHome } from '../cli/context.ts'
import type { HomePaths } from '../config/index.ts'
import { exists } from '../home/files.ts'
import { newGenesis, randomName, writeGenesis } from '../home/genesis-file.ts'
import { makeNodeKey } from '../home/node-key.ts'
import { makeValidator, readValidatorKey } from '../home/validator-files.ts'

export interface InitModules {
  readonly logger: Logger
  readonly random: Random
  /** The genesis time of a new chain. */
  readonly now: Time
}

/** Makes the files that a home lacks; nothing that is there is touched. */
export function initHome(paths: HomePaths, { logger, random, now }: InitModules): void {
  const validatorFiles = { keyFile: paths.privValidatorKey, stateFile: paths.privValidatorState }
  const found = exists(paths.privValidatorKey)
  const key = found ? readValidatorKey(paths.privValidatorKey) : makeValidator(paths)
  logger.info(`${found ? 'Found' : 'Generated'} private validator`, validatorFiles)

  if (exists(paths.nodeKey)) logger.info('Found node key', { path: paths.nodeKey })
  else {
    makeNodeKey(paths.nodeKey)
    logger.info('Generated node key', { path: paths.nodeKey })
  }

  if (exists(paths.genesis)) logger.info('Found genesis file', { path: paths.genesis })
  else {
    const validators = [{ publicKey: publicKeyOf(key), power: 10n, name: '' }]
    writeGenesis(paths.genesis, newGenesis({ chainId: `test-chain-${randomName(random)}`, time: now, validators }))
    logger.info('Generated genesis file', { path: paths.genesis })
  }
}

export function init(context: CommandContext): number {
  const { paths, logger, flush } = openHome(context, { create: true })
  initHome(paths, { logger, random: context.random, now: context.clock.now() })
  flush()
  return 0
}
