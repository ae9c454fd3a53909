import type { Random } from '@org/runtime'
import { bytesToHex } from '@org/types/bytes'
import { addressOf, type PublicKey, publicKeyToJson } from '@org/types/crypto'
import type { Json } from '@org/types/schema'
import { formatTime, type Time } from '@org/types/time'
import { PUBLIC_MODE, writeWhole } from './files.ts'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns six random letters and digits, for the chain id of a new chain. */
export function randomName(random: Random): string {
  return Array.from({ length: 6 }, () => LETTERS[random.below(LETTERS.length)]).join('')
}

export interface NewValidator {
  readonly publicKey: PublicKey
  readonly power: bigint
  readonly name: string
}

export interface NewGenesis {
  readonly chainId: string
  readonly time: Time
  /** The initial height in the file. Default 0, with which the chain begins at height 1. */
  readonly initialHeight?: number
  readonly validators: readonly NewValidator[]
}

/** Returns a genesis document as the reference's `init` writes it, with the default consensus parameters. */
export function newGenesis({ chainId, time, initialHeight = 0, validators }: NewGenesis): Json {
  return {
    genesis_time: formatTime(time),
    chain_id: chainId,
    initial_height: String(initialHeight),
    consensus_params: {
      block: { max_bytes: '22020096', max_gas: '-1' },
      evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
      validator: { pub_key_types: ['ed25519'] },
      version: { app: '0' },
      abci: { vote_extensions_enable_height: '0' },
    },
    validators: validators.map(({ publicKey, power, name }) => ({
      address: bytesToHex(addressOf(publicKey)),
      pub_key: publicKeyToJson(publicKey),
      power: power.toString(),
      name,
    })),
    app_hash: '',
  }
}

/** Writes a genesis document. `appState` is JSON text, which is written unchanged. */
export function writeGenesis(path: string, genesis: Json, appState?: string): void {
  const text = JSON.stringify(genesis, undefined, 2)
  const whole = appState === undefined ? text : `${text.slice(0, -2)},\n  "app_state": ${appState}\n}`
  writeWhole(path, whole, PUBLIC_MODE)
}
