import { bodyBytes, type Exchange, storeText } from '@org/golden'
import type { Answer } from './node.ts'

interface Close {
  readonly code: number | null
  readonly reason: unknown
}

const PROTOCOL_ERROR = 1002
/** Matches the reasons that the reference's WebSocket library gives for frames that break the protocol. */
const PROTOCOL_TEXTS =
  /^(RSV\d? set|bad opcode \d+|bad MASK|bad close code \d+|len > 125 for control|FIN not set on control|data before FIN|continuation after FIN|unexpected reserved bits)/
const NOT_UTF8 = 'invalid utf8 payload in close frame'

const withoutClose = ({ close: _close, ...rest }: Answer): string => JSON.stringify(rest)
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * Returns the payload of the close frame that the client sent; `undefined` if the client sent another kind of frame.
 */
function sentClose({ request }: Exchange): Buffer | undefined {
  const frame = request.opcode === 8 ? request.frames?.[0] : undefined
  return frame === undefined ? undefined : Buffer.from(bodyBytes(frame))
}

/**
 * True if two answers differ only in their close frames, and in a way that DEVIATIONS.md declares. `wanted` is the
 * reference's answer, and `got` is ours.
 */
export function isDeclaredClose(exchange: Exchange, wanted: Answer, got: Answer): boolean {
  const [theirs, ours] = [wanted.close as Close | undefined, got.close as Close | undefined]
  if (theirs === undefined || ours === undefined || withoutClose(wanted) !== withoutClose(got)) return false
  const payload = sentClose(exchange)
  if (payload?.length === 1 && theirs.code === null) return ours.code === PROTOCOL_ERROR && ours.reason === ''
  const isEcho =
    payload !== undefined &&
    payload.length >= 2 &&
    ours.code === payload.readUInt16BE() &&
    same(ours.reason, storeText(payload.subarray(2)))
  if (theirs.code === PROTOCOL_ERROR && theirs.reason === NOT_UTF8) return isEcho
  if (theirs.code === PROTOCOL_ERROR && PROTOCOL_TEXTS.test(String(theirs.reason)))
    return ours.code === PROTOCOL_ERROR && ours.reason === ''
  return theirs.reason === '' && theirs.code === ours.code && isEcho
}
