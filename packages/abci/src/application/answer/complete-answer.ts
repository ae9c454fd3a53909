import { ApplySnapshotChunkResult, OfferSnapshotResult, ProposalStatus, VerifyStatus } from '@org/types/abci'
import type { MessageSchema } from '@org/types/schema'
import { ABCI_ERRORS, AbciError } from '../../errors.ts'
import { METHOD_NAMES, METHODS, type MethodName, type ResponseOf } from '../../messages/index.ts'
import { type Check, oneOfEnum, WrongAnswer } from './checks.ts'
import { checkOfMessage } from './messages.ts'

/** The methods for which an application may return nothing. */
const MAY_ANSWER_NOTHING: ReadonlySet<MethodName> = new Set<MethodName>(['initChain', 'commit'])

/** The checks of the members that are enumerations. On the wire and in the schema these members are integers. */
const ENUMS: Partial<Record<MethodName, Readonly<Record<string, Check>>>> = {
  processProposal: { status: oneOfEnum(ProposalStatus) },
  verifyVoteExtension: { status: oneOfEnum(VerifyStatus) },
  offerSnapshot: { result: oneOfEnum(OfferSnapshotResult) },
  applySnapshotChunk: { result: oneOfEnum(ApplySnapshotChunkResult) },
}

const CHECKS = Object.fromEntries(
  METHOD_NAMES.map((name) => [name, checkOfMessage(METHODS[name].response as MessageSchema<unknown>, ENUMS[name])]),
) as Readonly<Record<MethodName, Check>>

/**
 * Checks an application's answer to a method, and returns the complete answer. An absent member becomes zero, and a
 * number becomes a bigint if the protocol has 64 bits. A text in place of bytes becomes its UTF-8 bytes. An answer that
 * is already complete is returned without a copy. Throws an `AbciError` with `ABCI_BAD_ANSWER`. The error names the
 * method, the field, the given value and the wanted value.
 */
export function completeAnswer<M extends MethodName>(method: M, answer: unknown): ResponseOf<M> {
  const { fits, convert } = CHECKS[method]
  if (fits(answer)) return answer as ResponseOf<M>
  if (answer === undefined && MAY_ANSWER_NOTHING.has(method)) return METHODS[method].response.zero as ResponseOf<M>
  try {
    return convert(answer, '') as ResponseOf<M>
  } catch (error) {
    if (!(error instanceof WrongAnswer)) throw error
    const { message, field, wanted, given } = error
    throw new AbciError(ABCI_ERRORS.badAnswer, `${method}: ${message}`, { data: { method, field, wanted, given } })
  }
}
