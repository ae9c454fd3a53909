export { createLogging, type Logging, type LoggingOptions } from './create-logger.ts'
export { LOG_ERRORS, LogError, parseLogLevel } from './level.ts'
