import { bodyBytes, type Exchange, storeText } from '@org/golden'
import type { Answer } from './node.ts'

interface Close {
  readonly code: number | null
  readonly reason: unknown
}

const PROTOCOL_ERROR = 1002
/** The texts of the reference's WebSocket library for frames against the protocol. */
const PROTOCOL_TEXTS =
  /^(RSV\d? set|bad opcode \d+|bad MASK|bad close code \d+|len > 125 for control|FIN not set on control|data before FIN|continuation after FIN|unexpected reserved bits)/
const NOT_UTF8 = 'invalid utf8 payload in close frame'

const withoutClose = ({ close: _close, ...rest }: Answer): string => JSON.stringify(rest)
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The payload of the close frame that the client sent; `undefined` if it sent another frame. */
function sentClose({ request }: Exchange): Buffer | undefined {
  const frame = request.opcode === 8 ? request.frames?.[0] : undefined
  return frame === undefined ? undefined : Buffer.from(bodyBytes(frame))
}

/** Whether two answers differ only in their close frames, and in one of the ways of the table in DEVIATIONS.md. */
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
