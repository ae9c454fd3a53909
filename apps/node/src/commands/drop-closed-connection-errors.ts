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
 * Returns the home of a node. If the log level is `error`, the returned home has another logger: it drops the errors
 * that report a connection closed by a peer. All nodes of the network run in this process, and a node closes
 * connections only in two cases: when the node stops, or between its state sync and its start. Both cases are normal,
 * so the dropped lines report no failure. For all other log levels, the home is returned unchanged.
 */
export function dropClosedConnectionErrors(home: OpenedHome): OpenedHome {
  return home.config.base.logLevel === 'error' ? { ...home, logger: quiet(home.logger) } : home
}
