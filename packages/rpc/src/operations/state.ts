import type { ValidatorSet } from '@org/types'
import { createSlices } from '../call/json-slices.ts'
import { height, optionalInt } from '../call/params.ts'
import { type CallContext, defineRoute } from '../call/route.ts'
import { refused } from '../errors.ts'
import { lastKnown, latestUncommittedHeight, resolveHeight, resolvePage, validatePerPage } from './argument-rules.ts'
import { consensusParamsResult, type ResultValidators, validatorsResult } from './results.ts'

/**
 * Returns the height whose validators are requested. If the node began with a snapshot, throws for the height of the
 * snapshot and all lower heights. The node may store the validators of these heights, but no hash covers their proposer
 * priorities. Once the node has stored a block, the function `resolveHeight` refuses these heights too, because they
 * are below the lowest stored block.
 */
function validatorsHeight(context: CallContext, asked: bigint | undefined): number {
  const at = resolveHeight(context, latestUncommittedHeight(context), asked)
  const { snapshot } = context.ports.blocks.backfilled?.() ?? { snapshot: 0 }
  if (at <= snapshot) throw refused(`height ${at} is not available, lowest height is ${snapshot + 1}`)
  return at
}

export const validators = defineRoute({
  name: 'validators',
  summary: 'The validator set of a height, by voting power.',
  category: 'Info',
  params: { height, page: optionalInt, per_page: optionalInt },
  result: validatorsResult,
  cache: 'height',
  immutableKey: (context, args) => {
    const at = validatorsHeight(context, args.height)
    return `${at}/${args.page ?? 1n}/${validatePerPage(args.per_page)}`
  },
  handler: (context, args) => {
    const at = validatorsHeight(context, args.height)
    const pageOf = ({ validators: all }: ValidatorSet): ResultValidators => {
      const { skip, count } = resolvePage(args.page, validatePerPage(args.per_page), all.length)
      const page = all.slice(skip, skip + count)
      return { blockHeight: at, validators: page, count: page.length, total: all.length }
    }
    const { state } = context.ports
    if (state.readValidators === undefined) return pageOf(state.loadValidators(at))
    const set = state.readValidators(at, { ...createSlices(context), signal: context.signal })
    return set instanceof Promise ? set.then(pageOf) : pageOf(set)
  },
})

/**
 * Returns the height whose parameters are requested. A new block is stored first, and then executed. Only the execution
 * gives the parameters of the next height. Until then, a call that names no height gets the parameters of the new
 * block's own height.
 */
function paramsHeight(context: CallContext, asked: bigint | undefined): number {
  const at = resolveHeight(context, latestUncommittedHeight(context), asked)
  const isKnown = (height: number): boolean => {
    try {
      context.ports.state.loadConsensusParams(height)
      return true
    } catch {
      return false
    }
  }
  return asked === undefined ? lastKnown(at, isKnown) : at
}

export const consensusParams = defineRoute({
  name: 'consensus_params',
  summary: 'The consensus parameters of a height.',
  category: 'Info',
  params: { height },
  result: consensusParamsResult,
  cache: 'height',
  immutableKey: (context, args) => String(paramsHeight(context, args.height)),
  handler: (context, args) => {
    const at = paramsHeight(context, args.height)
    return { blockHeight: at, consensusParams: context.ports.state.loadConsensusParams(at) }
  },
})
