import { utf8ToBytes } from '@org/types/bytes'
import { createStrobe } from './strobe.ts'

/** A Merlin v1.0 transcript: the messages of both sides, and challenge bytes that are derived from them. */
export interface Transcript {
  readonly append: (label: string, message: Uint8Array) => void
  readonly extract: (label: string, length: number) => Uint8Array
}

export function createTranscript(protocol: string): Transcript {
  const strobe = createStrobe(utf8ToBytes('Merlin v1.0'))
  const announce = (label: string, length: number): void => {
    strobe.metaAd(utf8ToBytes(label), false)
    const size = new Uint8Array(4)
    new DataView(size.buffer).setUint32(0, length, true)
    strobe.metaAd(size, true)
  }
  const append: Transcript['append'] = (label, message) => {
    announce(label, message.length)
    strobe.ad(message)
  }
  append('dom-sep', utf8ToBytes(protocol))
  return {
    append,
    extract: (label, length) => {
      announce(label, length)
      return strobe.prf(length)
    },
  }
}
