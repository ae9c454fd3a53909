import type { RpcMethods } from '@org/rpc/client'

/** The number of validators in one answer of `validators`. */
const PAGE = 100
/** The maximum number of answers of `validators` that the page loads for one set. */
const MAX_PAGES = 10

export type Validator = Awaited<ReturnType<RpcMethods['validators']>>['validators'][number]

export interface ValidatorList {
  /** The validators in the order of the validator set, which is also the order of the signatures in a commit. */
  readonly list: readonly Validator[]
  /**
   * The number of validators in the set. If the set has more than 1,000 validators, `list` has only the first 1,000.
   */
  readonly total: number
  /** The height of the validator set. */
  readonly height: number
}

/** Loads the validators of a height, at most 1,000. Default: the newest height. */
export async function loadValidators(client: RpcMethods, height?: number): Promise<ValidatorList> {
  const first = await client.validators({ ...(height === undefined ? {} : { height }), page: 1, perPage: PAGE })
  const pages = Math.min(MAX_PAGES, Math.ceil(first.total / PAGE))
  const others = await Promise.all(
    Array.from({ length: Math.max(0, pages - 1) }, (_, i) =>
      client.validators({ height: first.blockHeight, page: i + 2, perPage: PAGE }),
    ),
  )
  return {
    list: [first, ...others].flatMap(({ validators }) => validators),
    total: first.total,
    height: first.blockHeight,
  }
}

/** Returns the sum of the powers of the validators. */
export const powerOf = (list: readonly Pick<Validator, 'votingPower'>[]): bigint =>
  list.reduce((sum, { votingPower }) => sum + votingPower, 0n)
