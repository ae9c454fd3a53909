import type { ConsensusMessage } from '../machine/index.ts'

/** The memory, in bytes, that every message takes for its fields of fixed size and for its objects. */
const BASE_SIZE = 512
const HASH_SIZE = 32

/** Returns the approximate number of bytes that a decoded message takes. */
export function messageSize(message: ConsensusMessage): number {
  switch (message.kind) {
    case 'proposal':
      return BASE_SIZE
    case 'blockPart':
      return BASE_SIZE + message.part.bytes.length + message.part.proof.aunts.length * HASH_SIZE
    case 'vote':
      return BASE_SIZE + message.vote.extension.length
  }
}
