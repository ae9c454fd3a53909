import type { Logger, Random } from '@org/runtime'
import { publicKeyOf } from '@org/types/crypto'
import type { Time } from '@org/types/time'
import type { HomePaths } from '../config/index.ts'
import { exists } from './files.ts'
import { newGenesis, randomName, writeGenesis } from './genesis-file.ts'
import { makeNodeKey } from './node-key.ts'
import { loadOrMakeValidator } from './validator-files.ts'

export interface InitModules {
  readonly logger: Logger
  readonly random: Random
  /** The genesis time of a new chain. */
  readonly now: Time
  /** The first state of the application of a new chain, as JSON. */
  readonly appState?: string | undefined
}

/** Makes the missing files of a home. Does not change existing files. */
export async function initHome(paths: HomePaths, { logger, random, now, appState }: InitModules): Promise<void> {
  const validatorFiles = { keyFile: paths.privValidatorKey, stateFile: paths.privValidatorState }
  const { key, found } = await loadOrMakeValidator(paths)
  logger.info(`${found ? 'Found' : 'Generated'} private validator`, validatorFiles)

  if (exists(paths.nodeKey)) logger.info('Found node key', { path: paths.nodeKey })
  else {
    makeNodeKey(paths.nodeKey)
    logger.info('Generated node key', { path: paths.nodeKey })
  }

  if (exists(paths.genesis)) logger.info('Found genesis file', { path: paths.genesis })
  else {
    const validators = [{ publicKey: publicKeyOf(key), power: 10n, name: '' }]
    const genesis = newGenesis({ chainId: `test-chain-${randomName(random)}`, time: now, validators })
    writeGenesis(paths.genesis, genesis, appState)
    logger.info('Generated genesis file', { path: paths.genesis })
  }
}
