import { createVirtualClock, type VirtualClock } from '@org/runtime'
import { HOUR, makeChain, makeKeys, SECOND, timeAt } from '@org/test-kit'
import type { PrivateKey } from '@org/types/crypto'
import {
  createLightClient,
  createMemoryLightStore,
  hashOf,
  isLightFailure,
  type LightBlock,
  type LightClient,
  type LightClientModules,
  type LightClientOptions,
  type LightFailure,
} from '../src/index.ts'
import { createMemoryProvider, type MemoryProvider } from '../src/testing/index.ts'

export type Blocks = ReadonlyMap<number, LightBlock>

export const blockOf = (blocks: Blocks, height: number): LightBlock => blocks.get(height) as LightBlock

/**
 * The keys of 60 validators. At height `h`, the validators have four of these keys, from position `h / 5` (rounded
 * down) on. So every fifth height replaces one of the four keys.
 */
export const KEYS: readonly PrivateKey[] = makeKeys(60)
const windows = new Map<number, readonly PrivateKey[]>()
export function keysAt(height: number): readonly PrivateKey[] {
  const from = Math.floor(height / 5)
  const keys = windows.get(from) ?? KEYS.slice(from, from + 4)
  windows.set(from, keys)
  return keys
}

export const CHAIN: Blocks = makeChain({ to: 100, keysAt })

/**
 * Makes a fork of the chain: its blocks after `from` have other app hashes. `keys` sign the blocks of the fork.
 * Default: the validators of the chain sign them.
 */
export function forkAfter(from: number, to: number, keys?: readonly PrivateKey[]): Map<number, LightBlock> {
  const appHash = new Uint8Array(32).fill(7)
  const fork = makeChain({
    from: from + 1,
    to,
    keysAt: keys === undefined ? keysAt : () => keys,
    after: blockOf(CHAIN, from),
    header: () => ({ appHash }),
  })
  return new Map([...[...CHAIN].filter(([height]) => height <= from), ...fork])
}

export const provider = (name: string, blocks: Blocks = CHAIN): MemoryProvider =>
  createMemoryProvider({ chainId: 'made', name }, blocks)

/** Makes a clock that begins half a minute after the time of a block. */
export const clockAt = (height: number): VirtualClock => createVirtualClock(timeAt(height) + 30n * SECOND)

export const optionsFrom = (height: number, blocks: Blocks = CHAIN): LightClientOptions => ({
  chainId: 'made',
  trust: { height, hash: hashOf(blockOf(blocks, height)) },
  trustingPeriod: 10n * HOUR,
})

export interface Setup {
  readonly options?: Partial<LightClientOptions>
  readonly modules?: Partial<LightClientModules>
}

/** Makes a client that trusts height 1. Its primary and its witness are honest, and have the whole chain. */
export function makeClient({ options, modules }: Setup = {}): Promise<LightClient> {
  return createLightClient(
    { ...optionsFrom(1), ...options },
    {
      primary: provider('primary'),
      witnesses: [provider('witness')],
      store: createMemoryLightStore(),
      clock: clockAt(100),
      ...modules,
    },
  )
}

/** Resolves to the error with which a call rejects. Rejects if the call succeeds. */
export async function failureOf(promise: Promise<unknown>): Promise<LightFailure> {
  const error: unknown = await promise.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  )
  if (!isLightFailure(error)) throw error
  return error
}
