import { type Application, completeAnswer, createDefensiveCopy, METHOD_NAMES, type MethodName } from '@org/abci'
import {
  ProposalStatus,
  type RequestFinalizeBlock,
  type RequestInitChain,
  type RequestProcessProposal,
  type RequestVerifyVoteExtension,
  VerifyStatus,
} from '@org/types/abci'
import { isPromise } from '../app/index.ts'
import { type Agreed, agreedBlock, agreedStart, INIT_CHAIN_HEIGHT } from './agreement.ts'
import { describeDifference, isDifferent } from './describe-difference.ts'
import type { Refusals } from './refusals.ts'

/** Finds out whether the applications of several validators give the same answers. */
export interface DisagreementWatch {
  /**
   * Returns an application that records the answers of `app` for the comparison. `name` is the name of the validator
   * that uses `app`.
   */
  readonly watch: (app: Application, name: string) => Application
  /**
   * Returns a text about the first answer to InitChain or FinalizeBlock that differs between validators; `undefined`
   * while the validators agree.
   */
  readonly difference: () => string | undefined
  /**
   * Returns true if the validators disagree and all of them have answered. While an answer is missing, the text of
   * `difference` may still change.
   */
  readonly isComplete: () => boolean
  readonly clear: () => void
}

type Method = (request: never) => unknown

interface Call {
  readonly request: unknown
  readonly answer: unknown
}

export interface DisagreementOptions {
  /** Returns the number of validators, which may change. */
  readonly validators: () => number
  /** The app hash of the genesis document. */
  readonly genesisAppHash: Uint8Array
}

/** Proposals and vote extensions that an application refuses are added to `refusals`. */
export function createDisagreementWatch(options: DisagreementOptions, refusals: Refusals): DisagreementWatch {
  const { validators, genesisAppHash } = options
  /**
   * The answers by height, and then by the validator's name. The answers of a height are removed when all validators
   * have given equal answers.
   */
  const heights = new Map<number, Map<string, Agreed>>()
  let differing: number | undefined
  /** The greatest height for which all validators have given equal answers. */
  let agreedHeight = -1

  function compare(height: number, name: string, agreed: Agreed): void {
    // A validator that restarted or joined executes old blocks. The others do not, so there is nothing to compare.
    if (height <= agreedHeight && !heights.has(height)) return
    const answers = heights.get(height) ?? new Map<string, Agreed>()
    heights.set(height, answers)
    answers.set(name, agreed)
    if (isDifferent(answers)) differing = Math.min(height, differing ?? height)
    else if (answers.size >= validators()) {
      heights.delete(height)
      agreedHeight = Math.max(height, agreedHeight)
    }
  }

  type Note = (name: string, call: Call) => void

  const notes: Partial<Record<MethodName, Note>> = {
    processProposal: (name, { request, answer }) => {
      const { status } = completeAnswer('processProposal', answer)
      if (status !== ProposalStatus.accept) refusals.addProposal(name, request as RequestProcessProposal)
    },
    verifyVoteExtension: (name, { request, answer }) => {
      const { status } = completeAnswer('verifyVoteExtension', answer)
      if (status !== VerifyStatus.accept) refusals.addExtension(name, request as RequestVerifyVoteExtension)
    },
  }
  /** The functions that record an answer, for each method whose answers must be the same at all validators. */
  const compared: Partial<Record<MethodName, Note>> = {
    initChain: (name, { request, answer }) => {
      const response = completeAnswer('initChain', answer)
      compare(INIT_CHAIN_HEIGHT, name, agreedStart(request as RequestInitChain, response, genesisAppHash))
    },
    finalizeBlock: (name, call) => {
      const request = call.request as RequestFinalizeBlock
      compare(request.height, name, agreedBlock(request, completeAnswer('finalizeBlock', call.answer)))
    },
  }
  // A single validator cannot disagree with another one. Only the height of its blocks is recorded, for validators that
  // join later.
  const noteOf = (method: MethodName): Note | undefined =>
    notes[method] ?? (validators() > 1 ? compared[method] : undefined)

  const ownCopy = createDefensiveCopy()

  return {
    watch: (app, name) => {
      const watched: Record<string, Method> = {}
      for (const method of METHOD_NAMES) {
        const own = app[method] as Method | undefined
        if (own === undefined) continue
        watched[method] = (request) => {
          const note = noteOf(method)
          if (note === undefined) {
            if (method === 'finalizeBlock')
              agreedHeight = Math.max((request as RequestFinalizeBlock).height, agreedHeight)
            return own.call(app, request)
          }
          // The application gets a copy of the request, which it may change. The comparison after the call reads the
          // unchanged original.
          const answer = own.call(app, ownCopy(request))
          if (!isPromise(answer)) {
            note(name, { request, answer })
            return answer
          }
          return answer.then((value) => {
            note(name, { request, answer: value })
            return value
          })
        }
      }
      return watched as Application
    },
    difference: () => {
      const answers = differing === undefined ? undefined : heights.get(differing)
      return answers === undefined ? undefined : describeDifference(answers)
    },
    isComplete: () => differing !== undefined && (heights.get(differing)?.size ?? 0) >= validators(),
    clear: () => {
      heights.clear()
      differing = undefined
      agreedHeight = -1
      refusals.clear()
    },
  }
}
