/**
 * The Go names of a protobuf message and of its field. The reference's errors about invalid bytes contain these names.
 * The message has no field, or one field of bytes.
 */
export interface MessageNames {
  /** The name of the Go type. */
  readonly message: string
  /** The Go name of the only field, which has the number 1; absent if the message has no fields. */
  readonly field?: string
}

const END = 'unexpected EOF'
const OVERFLOW = 'proto: integer overflow'
const NEGATIVE = 'proto: negative length found during unmarshaling'
const END_OF_GROUP = 'proto: unexpected end of group'

const WIRE = { varint: 0, fixed64: 1, bytes: 2, group: 3, endGroup: 4, fixed32: 5 } as const

/** The error for a malformed message, in the reference's words. Only code in this file throws and catches it. */
class Fault extends Error {}

/**
 * Reads a message only to find its first fault. It makes the same steps as the Go code that gogoproto generates, so it
 * finds the same fault first.
 */
class FaultReader {
  #at = 0
  #low = 0
  #high = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  message({ message, field }: MessageNames): void {
    while (this.#at < this.#bytes.length) {
      const start = this.#at
      this.#varint()
      const wireType = this.#low & 7
      const number = (this.#low >>> 3) | (this.#high << 29)
      if (wireType === WIRE.endGroup) throw new Fault(`proto: ${message}: wiretype end group for non-group`)
      if (number <= 0) throw new Fault(`proto: ${message}: illegal tag ${number} (wire type ${this.#value()})`)
      if (number === 1 && field !== undefined) {
        if (wireType !== WIRE.bytes) throw new Fault(`proto: wrong wireType = ${wireType} for field ${field}`)
        this.#skipBytes()
      } else {
        this.#at = start
        this.#skip()
      }
      if (this.#at > this.#bytes.length) throw new Fault(END)
    }
  }

  /**
   * Skips a field. A group (an obsolete type of field that contains others) ends at its end tag. As in the reference,
   * the field number of the end tag is not compared with that of the begin tag.
   */
  #skip(): void {
    let depth = 0
    do {
      if (this.#at >= this.#bytes.length) throw new Fault(END)
      this.#varint()
      const wireType = this.#low & 7
      if (wireType === WIRE.varint) this.#varint(true)
      else if (wireType === WIRE.fixed64) this.#at += 8
      else if (wireType === WIRE.bytes) this.#skipBytes()
      else if (wireType === WIRE.group) depth++
      else if (wireType === WIRE.fixed32) this.#at += 4
      else if (wireType !== WIRE.endGroup) throw new Fault(`proto: illegal wireType ${wireType}`)
      else if (depth-- === 0) throw new Fault(END_OF_GROUP)
    } while (depth > 0)
  }

  #skipBytes(): void {
    this.#varint()
    // Go calculates the end of the field: its position plus its length. Go keeps the length and the end in signed
    // 64-bit integers. If one of them is above the range, it becomes negative in Go, and Go refuses the field.
    const isPastRange = this.#high === 0x7fff_ffff && this.#low + this.#at > 0xffff_ffff
    if (this.#high > 0x7fff_ffff || isPastRange) throw new Fault(NEGATIVE)
    this.#at += this.#high * 2 ** 32 + this.#low
  }

  /** Reads a varint of up to ten bytes; the bits above 64 are dropped. */
  #varint(isSkipped = false): void {
    this.#low = 0
    this.#high = 0
    for (let shift = 0; shift < 64; shift += 7) {
      const byte = this.#bytes[this.#at]
      if (byte === undefined) throw new Fault(END)
      this.#at++
      if (!isSkipped) this.#add(byte & 0x7f, shift)
      if (byte < 0x80) return
    }
    throw new Fault(OVERFLOW)
  }

  #add(bits: number, shift: number): void {
    if (shift < 32) this.#low = (this.#low | (bits << shift)) >>> 0
    if (shift > 25) this.#high = (this.#high | (shift < 32 ? bits >>> (32 - shift) : bits << (shift - 32))) >>> 0
  }

  #value(): bigint {
    return new DataView(Uint32Array.of(this.#low, this.#high).buffer).getBigUint64(0, true)
  }
}

/**
 * Returns the error with which the reference refuses these bytes as a message; `undefined` if the reference does not
 * refuse them.
 */
export function unmarshalFault(bytes: Uint8Array, names: MessageNames): string | undefined {
  try {
    new FaultReader(bytes).message(names)
    return undefined
  } catch (error) {
    if (error instanceof Fault) return error.message
    throw error
  }
}
