import type { RpcMethods } from '@org/rpc/client'

/** Validators of one answer, and the most answers that the page loads. */
const PAGE = 100
const MAX_PAGES = 10

export type Validator = Awaited<ReturnType<RpcMethods['validators']>>['validators'][number]

export interface ValidatorList {
  /** In the order of the validator set. The signatures of a commit have the same order. */
  readonly list: readonly Validator[]
  /** The number of validators in the set, which may be larger than the list. */
  readonly total: number
  /** The height whose set it is. */
  readonly height: number
}

/** The validators of a height, or of now: at most 1,000. */
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

/** The sum of the powers. */
export const powerOf = (list: readonly Pick<Validator, 'votingPower'>[]): bigint =>
  list.reduce((sum, { votingPower }) => sum + votingPower, 0n)
