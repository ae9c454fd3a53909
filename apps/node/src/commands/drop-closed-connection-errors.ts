import type { Logger } from '@org/runtime'
import type { OpenedHome } from '../home/open-home.ts'

function quiet(logger: Logger): Logger {
  return {
    ...logger,
    error: (message, fields) => {
      if (fields?.code !== 'MCONN_CLOSED') logger.error(message, fields)
    },
    child: (module) => quiet(logger.child(module)),
  }
}

/**
 * Returns the home of a node. If the log level is `error`, the logger of the returned home drops the lines about peers
 * that close their connection. All nodes of the network run in this process. A node closes connections only when it
 * stops, or between its state sync and its start. These two cases are not errors.
 */
export function dropClosedConnectionErrors(home: OpenedHome): OpenedHome {
  return home.config.base.logLevel === 'error' ? { ...home, logger: quiet(home.logger) } : home
}
