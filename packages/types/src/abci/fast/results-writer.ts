import { utf8ToBytes } from '../../bytes/index.ts'
import { NO_ITEMS, uvarintSize, writeUvarint } from '../../schema/index.ts'
import { type Event, type EventAttribute, ExecTxResult } from '../common.ts'

const encoder = new TextEncoder()
/**
 * The maximum length of a text that a loop encodes character by character. Longer texts are encoded by `TextEncoder`.
 */
const SHORT = 48
/** The maximum number of bytes of a length prefix. */
const LENGTH = 5

const LENGTH_DELIMITED = 2
const TAGS = {
  result: (2 << 3) | LENGTH_DELIMITED,
  events: (7 << 3) | LENGTH_DELIMITED,
  type: (1 << 3) | LENGTH_DELIMITED,
  attributes: (2 << 3) | LENGTH_DELIMITED,
  key: (1 << 3) | LENGTH_DELIMITED,
  value: (2 << 3) | LENGTH_DELIMITED,
  index: 3 << 3,
} as const

/** The encoded size of an ASCII text, with its tag and its length prefix. */
function textSize(text: string): number {
  return text.length === 0 ? 0 : 1 + uvarintSize(text.length) + text.length
}

function attributeSize({ key, value, index }: EventAttribute): number {
  return textSize(key) + textSize(value) + (index ? 2 : 0)
}

/**
 * Writes the results of transactions, which are mostly events with short ASCII texts. The writer leaves room in front
 * of each event for its length prefix. The size of the room is right if all texts of the event are ASCII. Then no
 * written byte has to move.
 */
export class ResultsWriter {
  private bytes = new Uint8Array(4096)
  private at = 0

  get size(): number {
    return this.at
  }

  finish(): Uint8Array {
    return this.bytes.slice(0, this.at)
  }

  /**
   * Writes the tag that a result has in a block's response, and then the result. Returns the offset of the result's
   * length prefix.
   */
  result(result: ExecTxResult): number {
    this.ensureRoom(LENGTH + 1)
    this.bytes[this.at++] = TAGS.result
    const start = this.begin(0x80)
    const { codespace, events } = result
    this.writeOtherFields({ ...result, events: NO_ITEMS, codespace: '' })
    for (const event of events) this.event(event)
    if (codespace !== '') this.writeOtherFields(ExecTxResult.create({ codespace }))
    this.end(start, 0x80)
    return start
  }

  /** Writes all fields of a result except its events. Most results have none of these fields. */
  private writeOtherFields(result: ExecTxResult): void {
    const { code, data, log, info, gasWanted, gasUsed, codespace } = result
    const texts = log.length + info.length + codespace.length
    if (code === 0 && data.length === 0 && texts === 0 && gasWanted === 0n && gasUsed === 0n) return
    this.raw(ExecTxResult.encode(result))
  }

  private event({ type, attributes }: Event): void {
    let guess = textSize(type)
    for (const attribute of attributes) {
      const size = attributeSize(attribute)
      guess += 1 + uvarintSize(size) + size
    }
    this.ensureRoom(LENGTH + 1)
    this.bytes[this.at++] = TAGS.events
    const start = this.begin(guess)
    this.text(TAGS.type, type)
    for (const attribute of attributes) this.attribute(attribute)
    this.end(start, guess)
  }

  private attribute(attribute: EventAttribute): void {
    const { key, value, index } = attribute
    const guess = attributeSize(attribute)
    this.ensureRoom(LENGTH + 1)
    this.bytes[this.at++] = TAGS.attributes
    const start = this.begin(guess)
    this.text(TAGS.key, key)
    this.text(TAGS.value, value)
    if (index) {
      this.ensureRoom(2)
      this.bytes[this.at++] = TAGS.index
      this.bytes[this.at++] = 1
    }
    this.end(start, guess)
  }

  private begin(guess: number): number {
    const start = this.at
    this.at += uvarintSize(guess)
    return start
  }

  /**
   * Writes the length prefix in front of a message. Moves the message if the prefix needs more or less room than was
   * left for it.
   */
  private end(start: number, guess: number): void {
    const [from, width] = [start + uvarintSize(guess), uvarintSize(this.at - start - uvarintSize(guess))]
    const length = this.at - from
    if (start + width !== from) {
      this.ensureRoom(LENGTH)
      this.bytes.copyWithin(start + width, from, this.at)
      this.at = start + width + length
    }
    writeUvarint(this.bytes, start, length)
  }

  private text(tag: number, text: string): void {
    if (text.length === 0) return
    this.ensureRoom(text.length * 3 + LENGTH + 1)
    const start = this.at
    this.bytes[start] = tag
    const from = start + 1 + uvarintSize(text.length)
    if (text.length <= SHORT && this.ascii(from, text)) this.at = from + text.length
    else {
      if (!text.isWellFormed()) {
        // The text contains bytes that are not UTF-8, in the escaped form of `bytesToUtf8`.
        this.at = start + 1
        this.bytesOf(utf8ToBytes(text))
        return
      }
      const { written } = encoder.encodeInto(text, this.bytes.subarray(from))
      const width = uvarintSize(written)
      if (start + 1 + width !== from) this.bytes.copyWithin(start + 1 + width, from, from + written)
      writeUvarint(this.bytes, start + 1, written)
      this.at = start + 1 + width + written
      return
    }
    writeUvarint(this.bytes, start + 1, text.length)
  }

  private ascii(from: number, text: string): boolean {
    const { bytes } = this
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code >= 0x80) return false
      bytes[from + i] = code
    }
    return true
  }

  private bytesOf(value: Uint8Array): void {
    this.ensureRoom(value.length + LENGTH)
    this.at = writeUvarint(this.bytes, this.at, value.length)
    this.raw(value)
  }

  private raw(value: Uint8Array): void {
    this.ensureRoom(value.length)
    this.bytes.set(value, this.at)
    this.at += value.length
  }

  private ensureRoom(count: number): void {
    if (this.at + count <= this.bytes.length) return
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.at + count))
    larger.set(this.bytes)
    this.bytes = larger
  }
}
