import { type ConsensusParams, completeGenesis, defaultConsensusParams, type GenesisDoc } from '@org/types'
import { bytesToHex } from '@org/types/bytes'
import { type PrivateKey, publicKeyOf } from '@org/types/crypto'

export interface GenesisFacts {
  readonly chainId: string
  readonly genesisTime: bigint
  readonly initialHeight: number
  readonly validators: readonly { readonly key: PrivateKey; readonly power: bigint; readonly name: string }[]
  /** The first height whose votes have extensions; 0 means that no votes have them. */
  readonly extensionsFrom: number
  readonly params?: Partial<ConsensusParams>
}

export function makeGenesis(facts: GenesisFacts): GenesisDoc {
  const { chainId, genesisTime, initialHeight, validators, extensionsFrom, params } = facts
  const defaults = defaultConsensusParams()
  return completeGenesis({
    genesisTime,
    chainId,
    initialHeight,
    consensusParams: {
      ...defaults,
      ...params,
      abci: { ...defaults.abci, voteExtensionsEnableHeight: extensionsFrom },
    },
    validators: validators.map(({ key, power, name }) => ({
      address: new Uint8Array(0),
      pubKey: publicKeyOf(key),
      power,
      name,
    })),
    appHash: new Uint8Array(0),
    appState: '',
  })
}

/** The power of each validator of the genesis, by its key in lower case hex. */
export function powersOf({ validators }: Pick<GenesisDoc, 'validators'>): ReadonlyMap<string, bigint> {
  return new Map(validators.map(({ pubKey, power }) => [bytesToHex(pubKey.bytes).toLowerCase(), power] as const))
}
