import { utf8ToBytes } from '@org/types/bytes'

// The keys of the database `state.db`, in the form in which the reference writes them.
export const STATE_KEY = utf8ToBytes('stateKey')
export const LAST_RESPONSE_KEY = utf8ToBytes('lastABCIResponseKey')
export const OFFLINE_STATE_SYNC_HEIGHT_KEY = utf8ToBytes('offlineStateSyncHeightKey')
export const GENESIS_DOC_KEY = utf8ToBytes('genesisDoc')
export const validatorsKey = (height: number): Uint8Array => utf8ToBytes(`validatorsKey:${height}`)
export const paramsKey = (height: number): Uint8Array => utf8ToBytes(`consensusParamsKey:${height}`)
export const responseKey = (height: number): Uint8Array => utf8ToBytes(`abciResponsesKey:${height}`)
