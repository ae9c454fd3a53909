import type { Logger } from '@org/runtime'
import type { Config } from '../config/index.ts'
import { excessiveKeys, type MemoryLimits } from './shares.ts'

/** The code of the log messages about settings that allow more memory than the node has. */
const CODE = 'CONFIG_MEMORY'

/**
 * Logs which configuration keys allow more memory than the node has. If such a key has its default value, the reason is
 * a small machine, and the operator need not change the key.
 */
export function logExcess(limits: MemoryLimits, config: Config, logger: Logger): void {
  for (const { key, configured, fits, usual } of excessiveKeys(limits, config)) {
    const fields = { code: CODE, key, configured, fits, memory: limits.processLimit, heap: limits.heapLimit }
    if (configured === usual)
      logger.info('The default of a setting allows more memory than this machine has; no action is needed', fields)
    else logger.warn('A setting allows more memory than the node may use; set a smaller value', fields)
  }
}
