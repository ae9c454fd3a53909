import { escapeControlsInLines, type Logger } from '@org/runtime'

/** Whether a log module belongs to the connections to the application, or to the built-in key-value store. */
const isOfApplication = (module: string): boolean => module.startsWith('abci-') || module === 'kvstore'

/**
 * Returns a logger that writes to `logger`, and passes the warnings about the application to `out`. By default a devnet
 * logs only errors. So without this logger, the devnet would not show that it waits for an application. It would also
 * not show a warning about the rules for transactions of the built-in key-value store. The store logs this warning if
 * the state of an existing home keeps its rules, although other rules are requested.
 */
export function withApplicationWarnings(logger: Logger, out: (text: string) => void): Logger {
  return {
    ...logger,
    child: (module) => {
      const child = logger.child(module)
      if (!isOfApplication(module)) return withApplicationWarnings(child, out)
      return {
        ...child,
        warn: (message, fields = {}) => {
          child.warn(message, fields)
          const { address, error, check } = fields
          const why = [error, check].filter((text) => text !== undefined).join('; ')
          const where = address === undefined ? '' : ` (${address})`
          // An error can contain text that a stranger sent to the application, so control characters are escaped.
          out(escapeControlsInLines(`${message}${where}${why === '' ? '' : `: ${why}`}\n`))
        },
      }
    },
  }
}
