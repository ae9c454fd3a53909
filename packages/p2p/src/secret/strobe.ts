import { keccakP } from '@noble/hashes/sha3.js'

/** The rate of STROBE-128/1600 in bytes, including the two bytes that are used for padding. */
const RATE = 200 - 128 / 4
const FLAGS = { inbound: 1, application: 2, cipher: 4, meta: 16 } as const
const OPERATIONS = {
  ad: FLAGS.application,
  metaAd: FLAGS.application | FLAGS.meta,
  prf: FLAGS.inbound | FLAGS.application | FLAGS.cipher,
} as const

/** The part of STROBE-128/1600 (v1.0.2) that a Merlin transcript needs: AD, meta-AD and PRF. */
export interface Strobe {
  readonly metaAd: (data: Uint8Array, more: boolean) => void
  readonly ad: (data: Uint8Array) => void
  readonly prf: (length: number) => Uint8Array
}

export function createStrobe(protocol: Uint8Array): Strobe {
  const words = new Uint32Array(50)
  // Keccak reads little-endian words; every platform that Node.js runs on is little-endian.
  const state = new Uint8Array(words.buffer)
  let position = 0
  let begin = 0

  function permute(): void {
    state[position] = (state[position] as number) ^ begin
    state[position + 1] = (state[position + 1] as number) ^ 0x04
    state[RATE - 1] = (state[RATE - 1] as number) ^ 0x80
    keccakP(words)
    position = 0
    begin = 0
  }

  function absorb(data: Uint8Array): void {
    for (const byte of data) {
      state[position] = (state[position] as number) ^ byte
      if (++position === RATE - 2) permute()
    }
  }

  function squeeze(length: number): Uint8Array {
    const out = new Uint8Array(length)
    for (let i = 0; i < length; i++) {
      out[i] = state[position] as number
      state[position] = 0
      if (++position === RATE - 2) permute()
    }
    return out
  }

  function startOperation(flags: number): void {
    const oldBegin = begin
    begin = position + 1
    absorb(Uint8Array.of(oldBegin, flags))
    if ((flags & FLAGS.cipher) !== 0 && position !== 0) permute()
  }

  state.set([1, RATE, 1, 0, 1, 12 * 8])
  state.set(new TextEncoder().encode('STROBEv1.0.2'), 6)
  keccakP(words)
  startOperation(OPERATIONS.metaAd)
  absorb(protocol)

  return {
    metaAd: (data, more) => {
      if (!more) startOperation(OPERATIONS.metaAd)
      absorb(data)
    },
    ad: (data) => {
      startOperation(OPERATIONS.ad)
      absorb(data)
    },
    prf: (length) => {
      startOperation(OPERATIONS.prf)
      return squeeze(length)
    },
  }
}
