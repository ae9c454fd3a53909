import { ABCI_ERRORS, AbciError } from '../../errors.ts'
import { METHOD_NAMES, METHODS, type MethodName, type ResponseOf } from '../../messages/index.ts'
import { type Check, WrongAnswer } from './checks.ts'
import { checkOf } from './messages.ts'

/** The methods that an application may answer with nothing. */
const MAY_ANSWER_NOTHING: ReadonlySet<MethodName> = new Set<MethodName>(['initChain', 'commit'])

const CHECKS = Object.fromEntries(METHOD_NAMES.map((name) => [name, checkOf(METHODS[name].response)])) as Readonly<
  Record<MethodName, Check>
>

/**
 * Checks what an application answered to a method, and completes it: members that are left out are zero, numbers become
 * bigints where the protocol has 64 bits, and text that stands for bytes becomes its UTF-8 bytes. An answer that is complete
 * is returned as it is. Throws an `AbciError` with `ABCI_BAD_ANSWER` that names method, field, what was given and what is wanted.
 */
export function completeAnswer<M extends MethodName>(method: M, answer: unknown): ResponseOf<M> {
  const { fits, take } = CHECKS[method]
  if (fits(answer)) return answer as ResponseOf<M>
  if (answer === undefined && MAY_ANSWER_NOTHING.has(method)) return METHODS[method].response.zero as ResponseOf<M>
  try {
    return take(answer, '') as ResponseOf<M>
  } catch (error) {
    if (!(error instanceof WrongAnswer)) throw error
    const { message, field, wanted, given } = error
    throw new AbciError(ABCI_ERRORS.badAnswer, `${method}: ${message}`, { data: { method, field, wanted, given } })
  }
}
