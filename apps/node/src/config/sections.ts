import type { Key, Keys, Values } from './key.ts'
import { BASE } from './sections/base.ts'
import { CONSENSUS } from './sections/consensus.ts'
import { MEMPOOL } from './sections/mempool.ts'
import { P2P } from './sections/p2p.ts'
import { RPC } from './sections/rpc.ts'
import { INSTRUMENTATION, STORAGE, TX_INDEX } from './sections/storage.ts'
import { BLOCKSYNC, STATESYNC } from './sections/sync.ts'

/** Every key of config.toml by section; `base` has the keys above the first section. */
export const SECTIONS = {
  base: BASE,
  rpc: RPC,
  p2p: P2P,
  mempool: MEMPOOL,
  statesync: STATESYNC,
  blocksync: BLOCKSYNC,
  consensus: CONSENSUS,
  storage: STORAGE,
  tx_index: TX_INDEX,
  instrumentation: INSTRUMENTATION,
} satisfies Readonly<Record<string, Keys>>

/**
 * Keys that the reference reads from config.toml, but does not write when it makes a config.toml. Halley accepts these
 * keys, and they have no effect.
 */
export const SILENT_KEYS: ReadonlySet<string> = new Set([
  'home',
  'trace',
  'rpc.home',
  'p2p.home',
  'p2p.test_dial_fail',
  'p2p.test_fuzz',
  'p2p.test_fuzz_config',
  'mempool.home',
  'consensus.home',
])

export type ConfigValues = {
  readonly [Name in keyof typeof SECTIONS as Name extends 'tx_index' ? 'txIndex' : Name]: Values<
    (typeof SECTIONS)[Name]
  >
}

/** The configuration of a node: its values and its home. A relative path in the values is relative to the home. */
export interface Config extends ConfigValues {
  readonly home: string
}

/**
 * A key of config.toml with its path, for example `rpc.laddr`. The path of a key above the first section is only its
 * name, such as `moniker`.
 */
export interface ConfigKey {
  readonly section: keyof typeof SECTIONS
  readonly name: string
  readonly path: string
  readonly key: Key<unknown>
}

export const CONFIG_KEYS: readonly ConfigKey[] = Object.entries(SECTIONS).flatMap(([section, keys]) =>
  Object.entries(keys as Keys).map(([name, key]) => ({
    section: section as keyof typeof SECTIONS,
    name,
    path: section === 'base' ? name : `${section}.${name}`,
    key,
  })),
)
