import { type Clock, isCodedError, type Logger } from '@org/runtime'
import { isPrecommitForBlock, proposalSignBytes, voteExtensionSignBytes, voteSignBytes } from '@org/types'
import { type PublicKey, publicKeyFromBytes, verifySignature } from '@org/types/crypto'
import type { RemoteSignerError } from '@org/types/messages'
import { EMPTY_BYTES } from '@org/types/schema'
import { PRIVVAL_ERRORS, PrivvalError } from '../errors.ts'
import type { PrivValidator } from '../priv-validator.ts'
import type { RemoteSignerOptions } from './options.ts'
import type { SignerConnection } from './signer-connection.ts'
import type { SignerLink } from './signer-link.ts'

/** The link to a remote signer, the clock and the logger. */
export interface RemoteSignerModules {
  readonly link: SignerLink
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Creates the node's side of a signer in another process, which holds the key and the sign state. Requests the public
 * key first, only once. Rejects with `PRIVVAL_NO_SIGNER` if no signer connects in time, with `PRIVVAL_SIGNER_LOST` if
 * the signer does not answer, with `PRIVVAL_SIGNER_REFUSED` if the signer refuses the request, or with
 * `PRIVVAL_SIGNER_ANSWER` if the answer has no valid public key.
 *
 * The methods `signVote` and `signProposal` reject with the same codes. For them, `PRIVVAL_SIGNER_ANSWER` means that
 * the signature does not match the request. If the signer is not connected or does not answer, the two methods repeat
 * the request several times before they reject. With the option `retryForever` they repeat the request without a limit,
 * and never reject with `PRIVVAL_NO_SIGNER` or `PRIVVAL_SIGNER_LOST`.
 */
export async function createRemoteSigner(
  { chainId, ...options }: RemoteSignerOptions & { readonly chainId: string },
  { link, clock, logger }: RemoteSignerModules,
): Promise<PrivValidator> {
  const { acceptTimeoutMs, attempts, retryAfterMs } = options
  let publicKey = await askKey(acceptTimeoutMs)
  let isGivenUp = false

  function askKey(waitMs: number): Promise<PublicKey> {
    return link.ask(async (signer) => {
      const answer = await signer.request({ case: 'pubKeyRequest', value: { chainId } }, 'pubKeyResponse')
      checkRefusal(answer.error)
      try {
        return publicKeyFromBytes(answer.pubKey.type, answer.pubKey.bytes)
      } catch (cause) {
        throw wrongAnswer('a public key', cause)
      }
    }, waitMs)
  }

  /**
   * Repeats a request if the signer is not connected or does not answer, but not after a refusal. After the last
   * attempt the signer counts as lost. Until a lost signer answers again, each request has only one attempt, which does
   * not wait for a connection.
   */
  async function persistently<T>(run: (signer: SignerConnection) => Promise<T>, retryForever = false): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await link.ask(run, isGivenUp && !retryForever ? 0 : acceptTimeoutMs)
        isGivenUp = false
        return answer
      } catch (error) {
        const isLast = !retryForever && (isGivenUp || attempt >= attempts)
        isGivenUp = isAway(error) && isLast
        if (!isAway(error) || isLast) throw error
      }
      await clock.sleep(retryAfterMs)
    }
  }

  function check(what: string, message: Uint8Array, signature: Uint8Array): void {
    if (!verifySignature(publicKey, message, signature)) throw wrongAnswer(what)
  }

  return {
    pubKey: () => publicKey,
    refresh: async () => {
      if (!link.isConnected()) return
      try {
        publicKey = await askKey(0)
      } catch (error) {
        if (isCodedError(error, PRIVVAL_ERRORS.closed)) return
        logger.error('failed to get private validator pubkey', { err: (error as Error).message })
      }
    },
    signVote: (chainId, vote, { withExtension = true, retryForever } = {}) =>
      persistently(async (signer) => {
        const answer = await signer.request({ case: 'signVoteRequest', value: { vote, chainId } }, 'signedVoteResponse')
        checkRefusal(answer.error)
        // The node uses only the signatures and the time of the answer. This time differs from the time in the request
        // if the signer has signed the vote with another time before.
        const { timestamp, signature } = answer.vote
        const isExtended = withExtension && isPrecommitForBlock(vote)
        const extensionSignature = isExtended ? answer.vote.extensionSignature : EMPTY_BYTES
        const signed = { ...vote, timestamp, signature, extensionSignature }
        check('a vote', voteSignBytes(chainId, signed), signature)
        if (isExtended) check('a vote extension', voteExtensionSignBytes(chainId, signed), extensionSignature)
        return signed
      }, retryForever),
    signProposal: (chainId, proposal, { retryForever } = {}) =>
      persistently(async (signer) => {
        const question = { case: 'signProposalRequest', value: { proposal, chainId } } as const
        const answer = await signer.request(question, 'signedProposalResponse')
        checkRefusal(answer.error)
        const { timestamp, signature } = answer.proposal
        const signed = { ...proposal, timestamp, signature }
        check('a proposal', proposalSignBytes(chainId, signed), signature)
        return signed
      }, retryForever),
  }
}

const isAway = (error: unknown): boolean =>
  isCodedError(error, PRIVVAL_ERRORS.noSigner) || isCodedError(error, PRIVVAL_ERRORS.signerLost)

function checkRefusal(error: RemoteSignerError | undefined): void {
  if (error === undefined) return
  const { code, description } = error
  const message = `the remote signer returned error #${code}: ${description}`
  throw new PrivvalError(PRIVVAL_ERRORS.signerRefused, message, { data: { code, description } })
}

function wrongAnswer(what: string, cause?: unknown): PrivvalError {
  const message = `the remote signer was asked for ${what}, but its answer is incomplete or invalid`
  return new PrivvalError(PRIVVAL_ERRORS.signerAnswer, message, { cause })
}
