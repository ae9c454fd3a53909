import { formatTime, parseTime, type Time, ZERO_TIME } from '../time/index.ts'
import { type Codec, int64, WIRE } from './codec.ts'
import type { Cursor } from './cursor.ts'
import { SCHEMA_ERRORS, SchemaError } from './errors.ts'
import { jsonError } from './json.ts'
import type { Writer } from './writer.ts'

const NANOS = 1_000_000_000n
const MAX_NANOS = 999_999_999
/** The seconds of 9999-12-31T23:59:59Z, the latest time. The earliest time is {@link ZERO_TIME}. */
const MAX_TIME_SECONDS = 253_402_300_799n
const MIN_TIME_SECONDS = ZERO_TIME / NANOS
const DURATION_LIMIT = 2n ** 63n

/**
 * Writes the seconds and nanoseconds of a time or duration. The parameters `seconds` and `nanos` are safe integers,
 * because the writer writes safe integers faster than bigints.
 */
function writeSecondsNanos(w: Writer, seconds: number, nanos: number): void {
  w.begin()
  if (seconds !== 0) {
    w.uint32(8)
    w.safeInt(seconds)
  }
  if (nanos !== 0) {
    w.uint32(16)
    w.int32(nanos)
  }
  w.end()
}

function readSecondsNanos<T>(c: Cursor, make: (seconds: bigint, nanos: number) => T): T {
  const length = c.length()
  const outer = c.end
  c.end = c.pos + length
  let seconds = 0n
  let nanos = 0
  while (c.pos < c.end) {
    const tag = c.tag()
    if (tag === 8) seconds = c.int64()
    else if (tag === 16) nanos = c.int32()
    else if (tag >>> 3 > 2) c.skip(tag)
    else throw new SchemaError(SCHEMA_ERRORS.wireType, `field ${tag >>> 3} of a time has wire type ${tag & 7}`)
  }
  c.end = outer
  return make(seconds, nanos)
}

function outOfRange(what: string): SchemaError {
  return new SchemaError(SCHEMA_ERRORS.value, `${what} is out of range`)
}

function makeTime(seconds: bigint, nanos: number): Time {
  const valid = seconds >= MIN_TIME_SECONDS && seconds <= MAX_TIME_SECONDS && nanos >= 0 && nanos <= MAX_NANOS
  if (!valid) throw outOfRange('time')
  return seconds * NANOS + BigInt(nanos)
}

function writeTime(w: Writer, time: Time): void {
  let seconds = time / NANOS
  let nanos = Number(time - seconds * NANOS)
  if (nanos < 0) {
    seconds -= 1n
    nanos += 1e9
  }
  if (seconds < MIN_TIME_SECONDS || seconds > MAX_TIME_SECONDS) throw outOfRange('time')
  writeSecondsNanos(w, Number(seconds), nanos)
}

function writeDuration(w: Writer, value: bigint): void {
  if (value < -DURATION_LIMIT || value >= DURATION_LIMIT) throw outOfRange('duration')
  writeSecondsNanos(w, Number(value / NANOS), Number(value % NANOS))
}

function makeDuration(seconds: bigint, nanos: number): bigint {
  const value = seconds * NANOS + BigInt(nanos)
  const sameSign = (seconds <= 0n || nanos >= 0) && (seconds >= 0n || nanos <= 0)
  const valid = sameSign && Math.abs(nanos) <= MAX_NANOS && value >= -DURATION_LIMIT && value < DURATION_LIMIT
  if (!valid) throw outOfRange('duration')
  return value
}

/**
 * The codec of a google.protobuf.Timestamp, as nanoseconds since 1970. An absent time is Go's zero time. The JSON is
 * RFC 3339. As in the reference, only the years 1 to 9999 can be written and read.
 */
export const time: Codec<Time> = {
  wireType: WIRE.bytes,
  zero: ZERO_TIME,
  isZero: () => false,
  write: writeTime,
  read: (c) => readSecondsNanos(c, makeTime),
  toJson: formatTime,
  fromJson: (json, path) => {
    const value = typeof json === 'string' ? parseTime(json) : undefined
    if (value === undefined) throw jsonError(path, 'an RFC 3339 time')
    return value
  },
}

/**
 * The codec of a google.protobuf.Duration, as nanoseconds. The JSON is a string of nanoseconds. As in gogoproto, a
 * duration is written even if it is zero.
 */
export const duration: Codec<bigint> = {
  wireType: WIRE.bytes,
  zero: 0n,
  isZero: () => false,
  // In a negative duration, both the seconds and the nanoseconds are negative. In a timestamp, the nanoseconds are
  // never negative.
  write: writeDuration,
  read: (c) => readSecondsNanos(c, makeDuration),
  toJson: String,
  fromJson: int64.fromJson,
}
