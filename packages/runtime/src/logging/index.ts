export { escapeControls, escapeControlsInLines } from './escape-controls.ts'
export { type LogFields, type Logger, noopLogger } from './logger.ts'
