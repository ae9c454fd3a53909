import { crc32cState, POLYNOMIAL } from './crc32c.ts'

/** Returns the CRC-32C of the bytes from `from` to `to`. */
export type RangeChecksums = (from: number, to: number) => number

/** The state of the checksum is kept for each offset that is a multiple of this number of bytes. */
const STEP = 64
/**
 * For a range of at most this many bytes, the checksum is computed directly from the bytes. For a longer range, the
 * checksum is computed from the states of the checksum before and after the range.
 */
const SHORT = 2 * STEP

/**
 * Multiplies two polynomials modulo the polynomial of the checksum. A polynomial is a number of 32 bits. As usual for
 * CRC-32C, the order of the bits is reversed: the highest bit of the number is the coefficient of x^0.
 */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 0x80000000, power = b; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= power
    power = (power >>> 1) ^ ((power & 1) === 1 ? POLYNOMIAL : 0)
  }
  return product >>> 0
}

/**
 * Builds the tables of the function `shift`. This function computes the state of the checksum after `n` more zero
 * bytes, without reading these bytes. The number `n` consists of four bytes, and there is one table for each byte of
 * `n`. A table has an entry for each value of its byte. The function `shift` multiplies the state with one entry of
 * each table.
 */
function buildShifts(): readonly Uint32Array[] {
  // A multiplication of the state by the polynomial x^8 has the same effect as one more zero byte.
  let unit = 0x00800000
  return [0, 1, 2, 3].map(() => {
    const shifts = new Uint32Array(256)
    shifts[0] = 0x80000000
    for (let digit = 1; digit < 256; digit++) shifts[digit] = multiply(shifts[digit - 1] as number, unit)
    unit = multiply(shifts[255] as number, unit)
    return shifts
  })
}

const SHIFTS = buildShifts()

/** Returns the state after `zeros` more zero bytes. */
function shift(state: number, zeros: number): number {
  let shifted = state
  for (let place = 0, rest = zeros; rest > 0; place++, rest >>>= 8) {
    const digit = rest & 0xff
    if (digit !== 0) shifted = multiply((SHIFTS[place] as Uint32Array)[digit] as number, shifted)
  }
  return shifted
}

/**
 * Computes the checksums of any ranges of a file. Let S(n) be the state of the checksum after the first n bytes. The
 * checksum is linear, so the checksum of a range can be computed from S(from) and S(to), without the bytes of the
 * range. The states are computed in one pass over the file, however many ranges overlap. In addition, at most
 * {@link SHORT} bytes are read for each range.
 */
export function createRangeChecksums(bytes: Uint8Array, read: typeof crc32cState = crc32cState): RangeChecksums {
  // The states of the checksum at the multiples of STEP, from 0 up to the highest multiple that was needed so far. The
  // state before the first byte is 0.
  const states: number[] = [0]

  function stateAt(at: number): number {
    const known = Math.floor(at / STEP)
    while (states.length <= known) {
      const from = (states.length - 1) * STEP
      states.push(read(states.at(-1) as number, bytes, { from, to: from + STEP }))
    }
    return read(states[known] as number, bytes, { from: known * STEP, to: at })
  }

  return (from, to) => {
    if (to - from <= SHORT) return ~read(0xffffffff, bytes, { from, to }) >>> 0
    return ~(stateAt(to) ^ shift((stateAt(from) ^ 0xffffffff) >>> 0, to - from)) >>> 0
  }
}
