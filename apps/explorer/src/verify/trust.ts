import { bytesOfHex } from '../format/bytes.ts'

/** A header that the user trusts, with the conditions under which the light client uses it. */
export interface Trust {
  readonly chainId: string
  readonly height: number
  /** The hash of the header, as 64 hex digits. */
  readonly hash: string
  /** The trusting period: the number of days for which a header is trusted after its time. */
  readonly days: number
  /** The address of another node that must confirm each header; empty if the user gave no node. */
  readonly witness: string
}

/** The default trusting period in days: two thirds of the usual unbonding period of 21 days. */
export const DEFAULT_DAYS = 14

const KEY = 'halley-trust'
/** The maximum number of chains whose trusted header the browser keeps. */
const MAX_CHAINS = 20

const HASH_BYTES = 32

/** Checks a header that a person wrote. Returns the fault; `undefined` if the header is valid. */
export function trustFault({ height, hash, days }: Pick<Trust, 'height' | 'hash' | 'days'>): string | undefined {
  if (!Number.isSafeInteger(height) || height < 1) return 'The height must be a whole number from 1.'
  if (bytesOfHex(hash)?.length !== HASH_BYTES)
    return 'The hash must have 64 hex digits: copy it from a block explorer or from another node.'
  return days > 0 && days <= 36_500 ? undefined : 'The trusting period must be between 0 and 36,500 days.'
}

function isTrust(value: unknown): value is Trust {
  if (typeof value !== 'object' || value === null) return false
  const { chainId, height, hash, days, witness } = value as Partial<Trust>
  return (
    typeof chainId === 'string' &&
    typeof witness === 'string' &&
    trustFault({ height: Number(height), hash: String(hash), days: Number(days) }) === undefined
  )
}

/**
 * Reads all stored headers, the last stored one first. Returns an empty list if the browser refuses storage to the
 * page.
 */
function stored(): readonly Trust[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(list) ? list.filter(isTrust) : []
  } catch {
    return []
  }
}

export const storedTrust = (chainId: string): Trust | undefined => stored().find((trust) => trust.chainId === chainId)

function store(list: readonly Trust[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(list.slice(0, MAX_CHAINS)))
  } catch {
    // If the browser refuses storage, the header is trusted only until the page is closed.
  }
}

export function storeTrust(trust: Trust): void {
  store([trust, ...stored().filter(({ chainId }) => chainId !== trust.chainId)])
}

export function forgetTrust(chainId: string): void {
  store(stored().filter((trust) => trust.chainId !== chainId))
}
