import type { Logger } from '@org/runtime'

/**
 * The same logger, which also writes the warnings of the connections to the application: a devnet logs errors only, and would
 * wait for an application in silence.
 */
export function withApplicationWarnings(logger: Logger, out: (text: string) => void): Logger {
  return {
    ...logger,
    child: (module) => {
      const child = logger.child(module)
      if (!module.startsWith('abci-')) return withApplicationWarnings(child, out)
      return {
        ...child,
        warn: (message, fields = {}) => {
          child.warn(message, fields)
          const { address, error, check } = fields
          const why = [error, check].filter((text) => text !== undefined).join('; ')
          out(`${message}${address === undefined ? '' : ` (${address})`}${why === '' ? '' : `: ${why}`}\n`)
        },
      }
    },
  }
}
