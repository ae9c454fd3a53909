export {
  BitSet,
  type BitWords,
  bitSetFrom,
  bitSetFromWords,
  isBitWordsValid,
  parseBitSet,
} from './bit-set.ts'
export { BitArray } from './wire.ts'
