import type { Logger } from '@org/runtime'

/** The report already shows the error of an application that halts the chain, with the lines of its code. */
export function withoutHalts(logger: Logger): Logger {
  return {
    ...logger,
    error: (message, fields) => {
      if (fields?.code !== 'CONSENSUS_EXECUTION_FAILED') logger.error(message, fields)
    },
    child: (module) => withoutHalts(logger.child(module)),
  }
}
