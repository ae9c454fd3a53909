import type { DevnetStatus } from '@org/rpc/client/devnet'
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { nowMs } from '../live/clock.ts'
import type { Exchange } from '../live/node.ts'
import { devnetClient } from './node.ts'

export type DevnetValidator = DevnetStatus['validators'][number]

/** The settings of the devnet from the last answer of `dev_info`; `undefined` before the first answer. */
export const info = signal<DevnetStatus | undefined>(undefined)

/** The last call of `dev_info` with its answer, which the screen also shows as the node sent it. */
export const infoCall = signal<Exchange | undefined>(undefined)

let isLoading = false

/** Loads the settings of the devnet again. If the node does not answer, the page keeps the settings that it has. */
export async function refreshInfo(): Promise<void> {
  if (isLoading) return
  isLoading = true
  try {
    info.value = await devnetClient((exchange) => {
      infoCall.value = exchange
    }).info()
  } catch {
    // The banner of the page already reports the lost connection. The page loads the settings again within a second.
  } finally {
    isLoading = false
  }
}

/**
 * Loads the settings of the devnet every second while the screen is open, because another user of the devnet may
 * change them.
 */
export function useInfo(): void {
  const now = nowMs.value
  useEffect(() => {
    if (!document.hidden) void refreshInfo()
  }, [now])
}

/** Returns the state of a validator in one or two words. */
export function stateOf({ power, signs, runs, apart }: DevnetValidator): string {
  if (!runs) return 'crashed'
  if (apart) return 'cut off'
  if (!signs) return 'silent'
  return power === 0n ? 'removed' : 'signs'
}

/** Returns the first digits of an address. The screen uses them as the name of the validator. */
export const shortAddress = (address: string): string => address.slice(0, 8)
