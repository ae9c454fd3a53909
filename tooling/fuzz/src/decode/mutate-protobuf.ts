import type { RandomSource } from './random-source.ts'

/** A field of a protobuf message that is read without a schema. Its content is a number, bytes or other fields. */
interface WireField {
  tag: number
  /**
   * The bytes of the field. For wire type 2, they are the content without its length. For the wire types 0, 1 and 5,
   * they are the encoded value.
   */
  bytes: Uint8Array
  fields: WireField[] | undefined
}

const MAX_DEPTH = 8

function varintEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && at < from + 10 && (bytes[at] as number) >= 0x80) at++
  return at < bytes.length && (bytes[at] as number) < 0x80 ? at + 1 : -1
}

function smallVarint(bytes: Uint8Array, from: number, end: number): number {
  let value = 0
  for (let at = end - 1; at >= from; at--) value = value * 128 + ((bytes[at] as number) & 0x7f)
  return value
}

/** Returns the fields of a message; `undefined` if the bytes are not a valid message. */
function parse(bytes: Uint8Array, depth: number): WireField[] | undefined {
  const fields: WireField[] = []
  let at = 0
  while (at < bytes.length) {
    const tagEnd = varintEnd(bytes, at)
    if (tagEnd < 0) return undefined
    const tag = smallVarint(bytes, at, tagEnd)
    if (tag < 8 || tag > 0xffff_ffff) return undefined
    const type = tag & 7
    let end = -1
    let start = tagEnd
    if (type === 0) end = varintEnd(bytes, tagEnd)
    else if (type === 1) end = tagEnd + 8
    else if (type === 5) end = tagEnd + 4
    else if (type === 2) {
      start = varintEnd(bytes, tagEnd)
      if (start >= 0) end = start + smallVarint(bytes, tagEnd, start)
    }
    if (end < start || start < 0 || end > bytes.length) return undefined
    const content = bytes.subarray(start, end)
    const inner = type === 2 && depth < MAX_DEPTH && content.length > 1 ? parse(content, depth + 1) : undefined
    fields.push({ tag, bytes: content, fields: inner })
    at = end
  }
  return fields
}

/**
 * The buffer in which messages are written. It has room for the longest input after several mutations, each of which
 * at most doubles the length.
 */
const scratch = new Uint8Array(256 * 1024)

/** Writes a varint that ends before `end`. Returns the position at which the varint begins. */
function writeVarint(value: number, end: number): number {
  let size = 1
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++
  let rest = value
  for (let at = end - size; at < end; at++) {
    scratch[at] = (rest % 128) | (at < end - 1 ? 0x80 : 0)
    rest = Math.floor(rest / 128)
  }
  return end - size
}

/**
 * Writes the fields so that the last field ends directly before `end`. Writes backwards: the last field first, and the
 * content of each field before the length, because the length follows from the content. Returns the position of the
 * first byte.
 */
function writeFields(fields: readonly WireField[], end: number): number {
  let at = end
  for (let i = fields.length - 1; i >= 0; i--) {
    const { tag, bytes, fields: inner } = fields[i] as WireField
    const contentEnd = at
    if (inner === undefined) {
      at -= bytes.length
      scratch.set(bytes, at)
    } else at = writeFields(inner, at)
    if ((tag & 7) === 2) at = writeVarint(contentEnd - at, at)
    at = writeVarint(tag, at)
  }
  return at
}

/** Returns a list of fields from a random level of the message: its own fields, or those of a message inside it. */
function anyLevel(root: WireField[], random: RandomSource): WireField[] {
  let level = root
  for (;;) {
    const inner = level.filter(({ fields }) => fields !== undefined && fields.length > 0)
    if (inner.length === 0 || random.below(3) === 0) return level
    level = random.pick(inner).fields as WireField[]
  }
}

function randomVarint(random: RandomSource): Uint8Array {
  const length = random.below(4) === 0 ? 1 + random.below(10) : 1
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length; i++) bytes[i] = random.below(128) | (i < length - 1 ? 0x80 : 0)
  return bytes
}

/** Copies a field with all fields inside it. Without the copy, a field could be inserted into itself. */
function copy(field: WireField): WireField {
  return { ...field, fields: field.fields?.map(copy) }
}

function change(level: WireField[], donor: WireField[], random: RandomSource): void {
  const at = random.below(level.length + 1)
  const field = level[at]
  switch (random.below(7)) {
    case 0:
      level.splice(at, 1)
      return
    case 1:
      if (field !== undefined) level.splice(random.below(level.length + 1), 0, field)
      return
    case 2:
      if (donor.length > 0) level.splice(at, 0, copy(random.pick(donor)))
      return
    case 3:
      level.splice(at, 0, { tag: (1 + random.below(20)) * 8, bytes: randomVarint(random), fields: undefined })
      return
    case 4:
      if (field !== undefined) level[at] = { ...field, tag: (field.tag & 7) | ((1 + random.below(12)) << 3) }
      return
    case 5:
      if (field !== undefined && (field.tag & 7) === 0) level[at] = { ...field, bytes: randomVarint(random) }
      else if (field !== undefined) level[at] = { ...field, bytes: new Uint8Array(0), fields: undefined }
      return
    default: {
      if (field === undefined || (field.tag & 7) !== 2) return
      const bytes = new Uint8Array(random.below(70))
      for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256)
      level[at] = { ...field, bytes, fields: undefined }
    }
  }
}

/**
 * Makes a message from `parent` by changing whole fields. Fields may also come from `other`. The lengths in the new
 * message are correct.
 */
export function mutateProtobuf(parent: Uint8Array, other: Uint8Array, random: RandomSource): Uint8Array {
  const root = parse(parent, 0) ?? []
  const donor = anyLevel(parse(other, 0) ?? [], random)
  for (let times = 1 + random.below(4); times > 0; times--) change(anyLevel(root, random), donor, random)
  return scratch.slice(writeFields(root, scratch.length))
}
