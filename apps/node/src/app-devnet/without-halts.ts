import type { Logger } from '@org/runtime'

/**
 * Returns a logger that leaves out the errors of an application that halts the chain, because the report already prints
 * them.
 */
export function withoutHalts(logger: Logger): Logger {
  return {
    ...logger,
    error: (message, fields) => {
      if (fields?.code !== 'CONSENSUS_EXECUTION_FAILED') logger.error(message, fields)
    },
    child: (module) => withoutHalts(logger.child(module)),
  }
}
