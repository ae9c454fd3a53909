import { concatBytes } from '@org/types/bytes'
import { uvarintSize, writeUvarint } from '@org/types/schema'
import type { Shape } from './door.ts'

const bytesOf = (value: string | readonly number[] | Uint8Array): Uint8Array =>
  typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'latin1')) : Uint8Array.from(value)

type Piece = string | readonly number[] | Uint8Array

/**
 * Returns a function that makes inputs. Each input is `before`, then `unit` as often as the size allows, then `after`.
 */
export function runOf(unit: Piece, before: Piece = '', after: Piece = ''): Shape {
  const [head, middle, tail] = [bytesOf(before), bytesOf(unit), bytesOf(after)]
  return (size) => {
    const times = Math.max(1, Math.floor((size - head.length - tail.length) / middle.length))
    const bytes = new Uint8Array(head.length + times * middle.length + tail.length)
    bytes.set(head)
    for (let i = 0; i < times; i++) bytes.set(middle, head.length + i * middle.length)
    bytes.set(tail, head.length + times * middle.length)
    return bytes
  }
}

/**
 * Returns a function that makes inputs. Each input is `before`, then the texts that `make` returns for 0, 1, 2 and so
 * on, then `after`.
 */
export function listOf(make: (index: number) => string, before = '', after = ''): Shape {
  return (size) => {
    const pieces = [before]
    let length = before.length + after.length
    for (let i = 0; length < size; i++) {
      const piece = make(i)
      pieces.push(piece)
      length += piece.length
    }
    return bytesOf(pieces.join('') + after)
  }
}

/**
 * Returns a function that makes inputs. Each input has pairs of `open` and `close`, where each pair is inside the pair
 * before it.
 */
export function nest([open, close]: readonly [string, string], before = '', after = ''): Shape {
  return (size) => {
    const times = Math.max(1, Math.floor((size - before.length - after.length) / (open.length + close.length)))
    return bytesOf(before + open.repeat(times) + close.repeat(times) + after)
  }
}

function uvarint(value: number): Uint8Array {
  const bytes = new Uint8Array(uvarintSize(value))
  writeUvarint(bytes, 0, value)
  return bytes
}

/** Returns a protobuf field whose content is bytes or a message. */
export const fieldOf = (number: number, content: Uint8Array): Uint8Array =>
  concatBytes(uvarint((number << 3) | 2), uvarint(content.length), content)

/** Puts `content` into nested messages. `path` has the field number at each level, the outermost first. */
export function inFields(path: readonly number[], content: Uint8Array): Uint8Array {
  return path.reduceRight((inner, number) => fieldOf(number, inner), content)
}

const wrapped =
  (path: readonly number[], shape: Shape): Shape =>
  (size) =>
    inFields(path, shape(Math.max(1, size - 6 * path.length)))

/**
 * Returns forms of input that are hostile to any reader of protobuf. `lists` has the paths to repeated fields.
 * `singles` has the paths to fields with a single message; if such a field occurs several times, a reader merges the
 * messages. `texts` has the paths to text fields.
 */
export function protobufShapes(paths: {
  readonly lists?: readonly (readonly number[])[]
  readonly singles?: readonly (readonly number[])[]
  readonly texts?: readonly (readonly number[])[]
}): Record<string, Shape> {
  const shapes: Record<string, Shape> = {
    'unknown fields': runOf([0xf8, 0x07, 0]),
    'padded numbers': runOf([0xf8, 0x07, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0]),
    'open groups': runOf([0xfb, 0x07]),
    'one long run of 0xff': runOf([0xff]),
    zeros: runOf([0]),
  }
  for (const path of paths.lists ?? []) {
    const [outer, last] = [path.slice(0, -1), path.at(-1) as number]
    const tag = uvarint((last << 3) | 2)
    const name = path.join('.')
    shapes[`empty items of ${name}`] = wrapped(outer, runOf([...tag, 0]))
    shapes[`items of ${name} with an unknown field`] = wrapped(outer, runOf([...tag, 3, 0xf8, 0x07, 0]))
    shapes[`pieces of ${name}`] = runOf(inFields(path, Uint8Array.of(0xf8, 0x07, 0)))
  }
  for (const path of paths.singles ?? []) {
    const [outer, last] = [path.slice(0, -1), path.at(-1) as number]
    const item = fieldOf(1, Uint8Array.of(0x18, 1))
    shapes[`repetitions of ${path.join('.')}`] = wrapped(outer, runOf(fieldOf(last, item)))
  }
  for (const path of paths.texts ?? []) {
    const [outer, last] = [path.slice(0, -1), path.at(-1) as number]
    shapes[`a text of bad bytes in ${path.join('.')}`] = wrapped(outer, (size) =>
      fieldOf(last, runOf([0xff])(size - 6)),
    )
  }
  return shapes
}
