import { escapeControls, type LogFields, type Logger } from '@org/runtime'

/**
 * Creates a logger that passes each log line to `write`, as a text for people. Control characters are escaped. Lines of
 * the level `debug` are dropped.
 */
export function createLineLogger(write: (line: string) => void, module = 'kvstore'): Logger {
  const line =
    (level: string) =>
    (message: string, fields: LogFields = {}): void => {
      const details = Object.entries(fields).map(([key, value]) => ` ${key}=${String(value)}`)
      write(`${escapeControls(`${level} ${module}: ${message}${details.join('')}`)}\n`)
    }
  return {
    debug: () => undefined,
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: (name) => createLineLogger(write, name),
  }
}
