import { bytesToHex, utf8ToBytes } from '@org/types/bytes'

// The keys of the database `blockstore.db`, in the form in which the reference writes them.
export const BLOCK_STORE_STATE_KEY = utf8ToBytes('blockStore')
export const metaKey = (height: number): Uint8Array => utf8ToBytes(`H:${height}`)
export const partKey = (height: number, index: number): Uint8Array => utf8ToBytes(`P:${height}:${index}`)
export const commitKey = (height: number): Uint8Array => utf8ToBytes(`C:${height}`)
export const seenCommitKey = (height: number): Uint8Array => utf8ToBytes(`SC:${height}`)
export const extendedCommitKey = (height: number): Uint8Array => utf8ToBytes(`EC:${height}`)
export const hashKey = (hash: Uint8Array): Uint8Array => utf8ToBytes(`BH:${bytesToHex(hash).toLowerCase()}`)

/** The key of a record that the reference does not have: see `BackfilledRange`. The reference ignores it. */
export const BACKFILL_KEY = utf8ToBytes('halleyBackfill')
