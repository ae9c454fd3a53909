import { LIGHT_ERRORS, type LightError, lightError } from '../errors.ts'

type ProviderCode =
  | typeof LIGHT_ERRORS.heightTooHigh
  | typeof LIGHT_ERRORS.notFound
  | typeof LIGHT_ERRORS.noResponse
  | typeof LIGHT_ERRORS.badBlock

const TEXTS: Readonly<Record<ProviderCode, string>> = {
  [LIGHT_ERRORS.heightTooHigh]: 'has not reached',
  [LIGHT_ERRORS.notFound]: 'does not have',
  [LIGHT_ERRORS.noResponse]: 'did not send',
  [LIGHT_ERRORS.badBlock]: 'sent an invalid answer for',
}

interface Details {
  readonly provider: string
  readonly height: number | undefined
  readonly reason?: string
  readonly cause?: unknown
}

export function providerError(code: ProviderCode, { provider, height, reason, cause }: Details): LightError {
  const what = height === undefined ? 'the latest block' : `the block at height ${height}`
  const why = reason === undefined ? '' : `: ${reason}`
  const data = { provider, ...(height !== undefined && { height }), ...(reason !== undefined && { reason }) }
  return lightError(code, `${provider} ${TEXTS[code]} ${what}${why}`, { data, cause })
}

const BENIGN: readonly string[] = [LIGHT_ERRORS.heightTooHigh, LIGHT_ERRORS.notFound, LIGHT_ERRORS.noResponse]

/** True for an error that does not prove a fault of the provider, because an honest provider may cause it too. */
export function isBenign(error: unknown): boolean {
  return BENIGN.includes((error as { readonly code?: string } | undefined)?.code ?? '')
}
