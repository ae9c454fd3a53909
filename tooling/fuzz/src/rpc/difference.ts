import { type Difference, differences, type Exchange } from '@org/golden'
import type { Answer } from './node.ts'

/**
 * Parses a body or a WebSocket message if it is JSON, and keeps each number as the text of its digits. Returns a value
 * that is not JSON text unchanged.
 */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value, ((_key, member: unknown, context?: { readonly source: string }) =>
      typeof member === 'number' ? `#${context?.source}` : member) as (key: string, value: unknown) => unknown)
  } catch {
    return value
  }
}

function unfolded(answer: Answer): Answer {
  const frames = answer.frames as readonly unknown[] | undefined
  return {
    ...answer,
    ...('body' in answer ? { body: parsed(answer.body) } : {}),
    ...(frames === undefined ? {} : { frames: frames.map(parsed) }),
  }
}

/**
 * Matches the paths of the two members of the consensus state that contain times. These times depend on the clock of
 * each process.
 */
const VOLATILE = /\.round_state\.(start_time|commit_time)$/

/**
 * True for a difference in `Content-Length`. Such a difference has one of two causes: the bodies differ in other ways,
 * or the port numbers in the bodies have different numbers of digits.
 */
const isLength = ({ path }: Difference): boolean => path === '.headers.Content-Length'

/**
 * Returns the first difference between two answers. A different `Content-Length` does not count, and neither does a
 * different time that depends on the clock.
 */
export function differenceOf(wanted: Answer, got: Answer): Difference | undefined {
  const exact = [...differences(wanted, got)].filter((one) => !isLength(one))
  if (exact.length === 0) return undefined
  const found = [...differences(unfolded(wanted), unfolded(got))].filter((one) => !isLength(one))
  // If the parsed answers are equal, the answers differ only in the form of their JSON. This is also a difference.
  if (found.length === 0) return exact[0]
  return found.find(({ path }) => !VOLATILE.test(path))
}

const MAX_SHAPE = 90

/** Returns a value as a short text. Parts that vary although the cause is the same, such as numbers, are replaced. */
function shapeOf(value: unknown): string {
  const text = value === undefined ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value)
  return text
    .replace(/\\?"(?:[^"\\]|\\.)*?\\?"/g, '"…"')
    .replace(/'[^']*'/g, "'…'")
    .replace(/[0-9A-Fa-f]{16,}/g, '…')
    .replace(/\d+/g, 'n')
    .slice(0, MAX_SHAPE)
}

/** Returns the name of a kind of difference. Two differences with the same name probably have the same cause. */
export function kindOf({ transport }: Exchange, { path, wanted, got }: Difference): string {
  const place = path.replace(/^\.(?:body|frames\[\d+\])(?:\[\d+\])?/, '').replace(/\[\d+\]/g, '[n]')
  return `${transport === 'ws' ? 'websocket' : 'http'}${place}: ${shapeOf(wanted)} | ${shapeOf(got)}`
}
