export { type LogFields, type Logger, noopLogger } from './logger.ts'
