import type { LightBlock } from '@org/light'
import { makeChain, makeKeys } from '@org/test-kit'

export const CHAIN_ID = 'made'

const KEYS = makeKeys(3)

/** Makes a chain of linked blocks with three validators. */
export const makeBlocks = (to: number): ReadonlyMap<number, LightBlock> =>
  makeChain({ chainId: CHAIN_ID, to, keysAt: () => KEYS })
