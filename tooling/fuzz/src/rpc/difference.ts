import { type Difference, differences, type Exchange } from '@org/golden'
import type { Answer } from './node.ts'

/** A body or frame as JSON with its numbers as text, if it is JSON. */
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

/** The start time of a round: it depends on the clock of the process. */
const VOLATILE = /\.round_state\.(start_time|commit_time)$/

/** The length of an answer follows from other differences, and from the number of digits of the ports. */
const isLength = ({ path }: Difference): boolean => path === '.headers.Content-Length'

/** The first difference between two answers that is not only another time or port. */
export function differenceOf(wanted: Answer, got: Answer): Difference | undefined {
  const exact = [...differences(wanted, got)].filter((one) => !isLength(one))
  if (exact.length === 0) return undefined
  const found = [...differences(unfolded(wanted), unfolded(got))].filter((one) => !isLength(one))
  // Equal JSON in different bytes is also a difference.
  if (found.length === 0) return exact[0]
  return found.find(({ path }) => !VOLATILE.test(path))
}

const MAX_SHAPE = 90

/** A value without the parts that vary between differences with the same cause. */
function shapeOf(value: unknown): string {
  const text = value === undefined ? 'absent' : typeof value === 'string' ? value : JSON.stringify(value)
  return text
    .replace(/\\?"(?:[^"\\]|\\.)*?\\?"/g, '"…"')
    .replace(/'[^']*'/g, "'…'")
    .replace(/[0-9A-Fa-f]{16,}/g, '…')
    .replace(/\d+/g, 'n')
    .slice(0, MAX_SHAPE)
}

/** The name of a kind of difference: differences with the same name probably have the same cause. */
export function kindOf({ transport }: Exchange, { path, wanted, got }: Difference): string {
  const place = path.replace(/^\.(?:body|frames\[\d+\])(?:\[\d+\])?/, '').replace(/\[\d+\]/g, '[n]')
  return `${transport === 'ws' ? 'websocket' : 'http'}${place}: ${shapeOf(wanted)} | ${shapeOf(got)}`
}
