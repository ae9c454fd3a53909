import { hashConsensusParams, hashResults } from '@org/types'
import { heightOf } from '../block/light-block.ts'
import { LIGHT_ERRORS, lightError } from '../errors.ts'
import {
  type Answer,
  checkBytes,
  checkNumber,
  heightOfArgs,
  type PartlyVerified,
  type Verified,
  type VerifiedModules,
} from './answer.ts'

type Results = Answer<'blockResults'>
type Result = Results['txsResults'][number]
/** The result of a transaction. Its code, its data and its gas are verified. */
export type VerifiedResult = PartlyVerified<Result, 'log' | 'info' | 'events' | 'codespace'>
/**
 * The results of a block. The header of the next block proves them, except for the members that are marked as
 * unverified.
 */
export type VerifiedResults = PartlyVerified<
  Omit<Results, 'txsResults'>,
  'finalizeBlockEvents' | 'validatorUpdates' | 'consensusParamUpdates'
> & { readonly txsResults: readonly VerifiedResult[] }

type Params = Answer<'consensusParams'>
/**
 * Consensus parameters. Only the two limits in `block` are verified, because the header's hash covers no other
 * parameters.
 */
export type VerifiedParams = Omit<Params, 'consensusParams'> & {
  readonly consensusParams: PartlyVerified<Params['consensusParams'], 'evidence' | 'validator' | 'version' | 'abci'>
}

type Validators = Answer<'validators'>
/**
 * A page of validators. Keys and powers are verified. The proposer priorities are not verified, because the header's
 * hash does not cover them. But when the light client compares a block of the primary with a block of a witness, it
 * refuses the block if the priorities differ. Blocks that were verified backwards are not compared.
 */
export type VerifiedValidators = Omit<Validators, 'validators'> & {
  readonly validators: readonly PartlyVerified<Validators['validators'][number], 'proposerPriority'>[]
}

/** The calls about results and parameters whose answers are verified. */
export interface VerifiedState {
  /**
   * Returns the results and the app hash of a block. The header of the next block proves them. So without a height, the
   * method returns the results of the block before the latest block.
   */
  readonly blockResults: Verified<'blockResults', VerifiedResults>
  /** Returns the parameters at a height; without a height, the parameters of the latest block. */
  readonly consensusParams: Verified<'consensusParams', VerifiedParams>
  /**
   * Returns a page of the verified validator set at a height. The light client already has the set, because it verified
   * the header of the height with this set. So no further request is sent.
   */
  readonly validators: Verified<'validators', VerifiedValidators>
}

const [DEFAULT_PER_PAGE, MAX_PER_PAGE] = [30, 100]

/**
 * Returns two indexes in the validator set: the index of the first validator of a page, and the index after its last
 * validator. A page has 30 validators by default and at most 100, as in the reference. Throws {@link LightError}
 * (`LIGHT_OPTION`) if the page does not exist.
 */
function pageOf(total: number, page: number, perPage: number): readonly [number, number] {
  const size = perPage < 1 ? DEFAULT_PER_PAGE : Math.min(perPage, MAX_PER_PAGE)
  const pages = Math.max(1, Math.ceil(total / size))
  if (page < 1 || page > pages) {
    const message = `page should be within [1, ${pages}] range, given ${page}`
    throw lightError(LIGHT_ERRORS.option, message, { data: { option: 'page' } })
  }
  return [(page - 1) * size, Math.min(page * size, total)]
}

export function createVerifiedState({ client, headers }: VerifiedModules): VerifiedState {
  return {
    blockResults: async (args = {}, options = {}) => {
      const { signal } = options
      const height = heightOfArgs(args.height) ?? Math.max(1, heightOf(await headers.at(undefined, signal)) - 1)
      const answer = await client.blockResults({ ...args, height }, options)
      checkNumber('block_results', 'height', [answer.height, height])
      const { header } = await headers.soon(height + 1, signal)
      checkBytes('block_results', 'hash of the results', [hashResults(answer.txsResults), header.lastResultsHash])
      checkBytes('block_results', 'app hash', [answer.appHash, header.appHash])
      return answer
    },
    consensusParams: async (args = {}, options = {}) => {
      // Without a height, a node returns the parameters of the block that is being made. No header proves them yet.
      const { header } = await headers.at(heightOfArgs(args.height), options.signal)
      const { height } = header
      const answer = await client.consensusParams({ ...args, height }, options)
      checkNumber('consensus_params', 'height', [answer.blockHeight, height])
      const hash = hashConsensusParams(answer.consensusParams)
      checkBytes('consensus_params', 'hash of the parameters', [hash, header.consensusHash])
      return answer
    },
    validators: async (args = {}, { signal } = {}) => {
      const block = await headers.at(heightOfArgs(args.height), signal)
      const all = block.validators.validators
      const [from, to] = pageOf(all.length, Number(args.page ?? 1), Number(args.perPage ?? DEFAULT_PER_PAGE))
      const validators = all.slice(from, to)
      return { blockHeight: heightOf(block), validators, count: validators.length, total: all.length }
    },
  }
}
