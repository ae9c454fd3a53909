import { WORLD_ERRORS, WorldError } from '../world/index.ts'
import type { NetworkOptions } from './options.ts'

const MAX_NODES = 1000

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most

/** Returns the reason why a network with these validators is impossible; `undefined` if it is possible. */
export function validatorsFault({
  validators,
  powers,
}: Pick<NetworkOptions, 'validators' | 'powers'>): string | undefined {
  if (!isWhole(validators, 1, MAX_NODES)) return `there are ${validators} validators, and 1 to ${MAX_NODES} are allowed`
  if (powers.length > validators) return `there are ${powers.length} powers for ${validators} validators`
  const power = powers.find((each) => typeof each !== 'bigint' || each <= 0n)
  return power === undefined ? undefined : `the power ${power} is not a bigint above 0`
}

/** Throws a {@link WorldError} for impossible options. */
export function checkNetwork(options: NetworkOptions): void {
  const { seed, validators, fullNodes, joiners, watchEveryMs, exchange, appRefuses } = options
  if (!isWhole(seed, 0, Number.MAX_SAFE_INTEGER)) throw bad(`the seed is ${seed}: it must be a whole number`)
  const fault = validatorsFault(options)
  if (fault !== undefined) throw bad(fault)
  if (!isWhole(fullNodes, 0, MAX_NODES))
    throw bad(`there are ${fullNodes} full nodes, and 0 to ${MAX_NODES} are allowed`)
  const named = [
    ...(exchange?.seeds ?? []),
    ...(joiners?.servers ?? []),
    ...appRefuses.flatMap(({ node, peer }) => [node, peer]),
  ]
  const missing = named.find((node) => !isWhole(node, 0, validators + fullNodes - 1))
  if (missing !== undefined) throw bad(`there is no node ${missing}`)
  if (joiners !== undefined && joiners.servers.length < 2) throw bad('joiners.servers must name at least two nodes')
  if (exchange !== undefined && !(exchange.everyMs > 0))
    throw bad(`exchange.everyMs is ${exchange.everyMs}: it must be above 0`)
  if (!(watchEveryMs >= 0)) throw bad(`watchEveryMs is ${watchEveryMs}: it must not be negative`)
}

function bad(message: string): WorldError {
  return new WorldError(WORLD_ERRORS.badOption, message)
}
