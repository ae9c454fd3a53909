import type { Decoder } from './decoder.ts'
import { mutateProtobuf } from './mutate-protobuf.ts'
import type { RandomSource } from './random-source.ts'

/** Bytes that have a special meaning or are at the limit of a range in common formats. */
const EDGES = [0, 1, 2, 7, 8, 10, 13, 16, 18, 32, 34, 44, 58, 64, 91, 92, 123, 125, 127, 128, 254, 255]
const HUGE_VARINTS: readonly (readonly number[])[] = [
  [255, 255, 255, 255, 15],
  [255, 255, 255, 255, 255, 255, 255, 255, 127],
  [255, 255, 255, 255, 255, 255, 255, 255, 255, 1],
  [128, 128, 128, 128, 128, 128, 128, 128, 128, 1],
  [128, 128, 0],
]

type Mutation = (bytes: Uint8Array, random: RandomSource) => Uint8Array

function insert(bytes: Uint8Array, at: number, added: ArrayLike<number>): Uint8Array {
  const next = new Uint8Array(bytes.length + added.length)
  next.set(bytes.subarray(0, at))
  next.set(added, at)
  next.set(bytes.subarray(at), at + added.length)
  return next
}

function setByte(bytes: Uint8Array, random: RandomSource, make: (old: number) => number): Uint8Array {
  if (bytes.length === 0) return bytes
  const at = random.below(bytes.length)
  bytes[at] = make(bytes[at] as number)
  return bytes
}

const MUTATIONS: readonly Mutation[] = [
  (bytes, random) => setByte(bytes, random, (old) => old ^ (1 << random.below(8))),
  (bytes, random) => setByte(bytes, random, () => random.below(256)),
  (bytes, random) => setByte(bytes, random, () => random.pick(EDGES)),
  (bytes, random) => setByte(bytes, random, (old) => old + random.below(33) - 16),
  (bytes, random) => insert(bytes, random.below(bytes.length + 1), [random.below(256)]),
  (bytes, random) => insert(bytes, random.below(bytes.length + 1), random.pick(HUGE_VARINTS)),
  (bytes, random) =>
    insert(bytes, random.below(bytes.length + 1), new Array(1 + random.below(32)).fill(random.pick(EDGES))),
  // Removes a random piece of the input.
  (bytes, random) => {
    const from = random.below(bytes.length + 1)
    const to = Math.min(bytes.length, from + 1 + random.below(random.below(4) === 0 ? bytes.length + 1 : 8))
    const next = new Uint8Array(bytes.length - (to - from))
    next.set(bytes.subarray(0, from))
    next.set(bytes.subarray(to), from)
    return next
  },
  // Repeats a random piece of the input at another place.
  (bytes, random) => {
    const from = random.below(bytes.length + 1)
    const piece = bytes.slice(from, from + 1 + random.below(64))
    return insert(bytes, random.below(bytes.length + 1), piece)
  },
]

/** Makes a new input from `parent` by random changes. A change may insert a piece of `other`. */
export function mutate(
  decoder: Decoder,
  [parent, other]: readonly [Uint8Array, Uint8Array],
  random: RandomSource,
): Uint8Array {
  if (decoder.isProtobuf === true && random.below(2) === 0) return mutateProtobuf(parent, other, random)
  let bytes: Uint8Array = parent.slice()
  const words = decoder.words ?? []
  for (let times = 1 << random.below(4); times > 0; times--) {
    const choice = random.below(MUTATIONS.length + 3)
    if (choice < MUTATIONS.length) bytes = (MUTATIONS[choice] as Mutation)(bytes, random)
    else if (choice === MUTATIONS.length && other.length > 0) {
      const from = random.below(other.length)
      bytes = insert(bytes, random.below(bytes.length + 1), other.subarray(from, from + 1 + random.below(128)))
    } else if (words.length > 0) {
      bytes = insert(bytes, random.below(bytes.length + 1), Buffer.from(random.pick(words), 'utf8'))
    }
  }
  return bytes
}
