import type { Logger } from '@org/runtime'

/**
 * Returns a logger that drops the error with which the application halts the chain (`CONSENSUS_EXECUTION_FAILED`).
 * `createReport` already prints this error.
 */
export function dropHaltErrors(logger: Logger): Logger {
  return {
    ...logger,
    error: (message, fields) => {
      if (fields?.code !== 'CONSENSUS_EXECUTION_FAILED') logger.error(message, fields)
    },
    child: (module) => dropHaltErrors(logger.child(module)),
  }
}
