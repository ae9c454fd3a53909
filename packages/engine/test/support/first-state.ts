import { defaultConsensusParams, type State } from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { addressOf, generateEd25519, type PrivateKey, publicKeyOf, sha256 } from '@org/types/crypto'
import { makeGenesisState } from '../../src/execution/index.ts'

export interface FirstStateOptions {
  readonly chainId: string
  readonly time: bigint
  /** The power of each validator. */
  readonly powers: readonly bigint[]
  readonly extensionsFrom?: number
  readonly initialHeight?: number
}

/** The state before the first block of a chain with fixed keys. `keys` are in the order of `powers`. */
export function makeFirstState(options: FirstStateOptions): {
  readonly keys: readonly PrivateKey[]
  readonly state: State
} {
  const { chainId, time, powers, extensionsFrom = 0, initialHeight = 1 } = options
  const keys = powers.map((_, i) => generateEd25519(new Uint8Array(32).fill(i + 1)))
  const validators = powers.map((power, i) => {
    const pubKey = publicKeyOf(keys[i] as PrivateKey)
    return { address: addressOf(pubKey), pubKey, power, name: '' }
  })
  const state = makeGenesisState({
    genesisTime: time,
    chainId,
    initialHeight,
    consensusParams: { ...defaultConsensusParams(), abci: { voteExtensionsEnableHeight: extensionsFrom } },
    validators,
    appHash: sha256(utf8ToBytes('0')),
    appState: '',
  })
  return { keys, state }
}
