import { escapeControls, type LogFields } from '@org/runtime'
import type { Level } from './level.ts'

const MESSAGE_WIDTH = 44
const LETTERS: Readonly<Record<Level, string>> = { debug: 'D', info: 'I', warn: 'W', error: 'E' }
const COLORS: Readonly<Record<Level, string>> = {
  debug: '\u001b[90m',
  info: '',
  warn: '\u001b[33m',
  error: '\u001b[31m',
}
const RESET = '\u001b[39;49;22m'

const two = (value: number): string => String(value).padStart(2, '0')

/** Returns the local time as `2026-11-21|05:55:56.886`. */
function stamp(ms: number): string {
  const at = new Date(ms)
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  const time = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
  return `${day}|${time}.${String(at.getMilliseconds()).padStart(3, '0')}`
}

/**
 * Converts a value for the plain and the JSON form of the log: bytes become upper-case hex, an error becomes its
 * message and code.
 */
export function plainValue(value: unknown): unknown {
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex').toUpperCase()
  if (value instanceof Error) return 'code' in value ? `${value.message} [${String(value.code)}]` : value.message
  return typeof value === 'bigint' ? value.toString() : value
}

function valueText(raw: unknown): string {
  const value = plainValue(raw)
  if (value === undefined || value === null) return 'null'
  const text =
    typeof value === 'object' ? JSON.stringify(value, (_, inner: unknown) => plainValue(inner)) : String(value)
  // `JSON.stringify` escapes only the control characters below U+0020.
  return /[\p{Cc}\p{Bidi_Control} ="\ufffd]/u.test(text) ? escapeControls(JSON.stringify(text)) : text
}

export interface LogLine {
  readonly level: Level
  readonly ms: number
  readonly module: string
  readonly message: string
  readonly fields: LogFields
}

/** Returns a line of the plain form: `I[2026-11-21|05:55:56.886] Executed block   module=state height=5`. */
export function plainLine({ level, ms, module, message, fields }: LogLine, colored: boolean): string {
  let line = `${LETTERS[level]}[${stamp(ms)}] ${message.padEnd(MESSAGE_WIDTH)} module=${module}`
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) line += ` ${name}=${valueText(value)}`
  }
  const color = colored ? COLORS[level] : ''
  return color === '' ? `${line}\n` : `${color}${line}${RESET}\n`
}
