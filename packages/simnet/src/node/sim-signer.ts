import {
  createSigner,
  INITIAL_SIGN_STATE,
  type PrivValidator,
  type SignState,
  signStateText,
} from '@org/engine/privval'
import { createRemoteSigner, createSignerLink, DEFAULT_REMOTE_SIGNER_OPTIONS } from '@org/engine/privval/remote'
import type { ByteTransport, TransportHandlers } from '@org/p2p'
import { type Logger, messageOf } from '@org/runtime'
import { Proposal, Vote } from '@org/types'
import type { PrivateKey, sign } from '@org/types/crypto'
import { SignerErrorCode, SignerMessage } from '@org/types/messages'
import { createDelimitedReader } from '@org/types/schema'
import { type Life, type RandomSource, type Scheduler, WORLD_ERRORS, WorldError } from '../world/index.ts'

const REDIAL_MS = 250
const LATENCY_MS = [0.2, 2] as const
/**
 * The range of the time, in milliseconds, that the signer needs to write its state to disk. It answers after the write.
 */
const SYNC_MS = [0.5, 4] as const
const MAX_MESSAGE = 10 * 1024

/**
 * A signer in a separate process on another computer than the node. A crash of the node does not affect the signer,
 * which never loses its sign state.
 */
export interface SimSigner {
  /** Connects the signer to a node for one life of the node. Resolves with the signer that the node uses. */
  readonly connect: (chainId: string, node: { readonly life: Life; readonly logger: Logger }) => Promise<PrivValidator>
  /** While `away` is true, the signer's connections are broken: it may sign a request, but its answer is lost. */
  readonly faults: { away: boolean }
  /** Returns the signer's sign state as text. */
  readonly stateText: () => string
}

export interface SimSignerModules {
  readonly key: PrivateKey
  readonly scheduler: Scheduler
  readonly random: RandomSource
  readonly sign: typeof sign
}

/** Returns the answer of the signer to a request; `undefined` for a message that is not a request. */
async function answer(
  signer: Pick<PrivValidator, 'pubKey' | 'signVote' | 'signProposal'>,
  sum: SignerMessage['sum'],
): Promise<SignerMessage['sum']> {
  const refused = (error: unknown) => ({ code: SignerErrorCode.unknown, description: messageOf(error) })
  switch (sum?.case) {
    case 'pingRequest':
      return { case: 'pingResponse', value: {} }
    case 'pubKeyRequest':
      return { case: 'pubKeyResponse', value: { pubKey: signer.pubKey(), error: undefined } }
    case 'signVoteRequest': {
      const vote = sum.value.vote ?? Vote.create({})
      return signer.signVote(sum.value.chainId, vote).then(
        (signed) => ({ case: 'signedVoteResponse', value: { vote: signed, error: undefined } }),
        (error: unknown) => ({ case: 'signedVoteResponse', value: { vote, error: refused(error) } }),
      )
    }
    case 'signProposalRequest': {
      const proposal = sum.value.proposal ?? Proposal.create({})
      return signer.signProposal(sum.value.chainId, proposal).then(
        (signed) => ({ case: 'signedProposalResponse', value: { proposal: signed, error: undefined } }),
        (error: unknown) => ({ case: 'signedProposalResponse', value: { proposal, error: refused(error) } }),
      )
    }
    default:
      return undefined
  }
}

export function createSimSigner({ key, scheduler, random, sign }: SimSignerModules): SimSigner {
  let state: SignState = INITIAL_SIGN_STATE
  let away = false
  const hangUps = new Set<() => void>()
  const signer = createSigner(key, state, {
    sign,
    save: async (next) => {
      state = next
    },
  })

  /** Returns the node's end of a connection to the signer. `onEnd` is called once, when the connection ends. */
  function dialIn(life: Life, onEnd: () => void): ByteTransport {
    const reader = createDelimitedReader(
      MAX_MESSAGE,
      () => new WorldError(WORLD_ERRORS.badState, 'the node sent a message that is too long'),
    )
    let handlers: TransportHandlers | undefined
    const isOpen = (): boolean => hangUps.has(hangUp)

    function end(notify: boolean): void {
      if (!isOpen()) return
      hangUps.delete(hangUp)
      if (notify) life.later(random.between(...LATENCY_MS), () => handlers?.close(undefined))
      onEnd()
    }
    const hangUp = (): void => end(true)
    hangUps.add(hangUp)

    async function serve(message: Uint8Array): Promise<void> {
      const answered = await answer(signer, SignerMessage.decode(message).sum)
      life.later(random.between(...SYNC_MS) + random.between(...LATENCY_MS), () => {
        if (isOpen()) handlers?.data(SignerMessage.encodeDelimited({ sum: answered }))
      })
    }

    return {
      remoteAddress: '10.255.0.1:26659',
      write: (bytes) => {
        // A message that was sent arrives even if the node dies in the meantime.
        scheduler.after(random.between(...LATENCY_MS), () => {
          if (isOpen() && !away) reader.push(bytes, (message) => void serve(message.slice()))
        })
        return true
      },
      handle: (given) => {
        handlers = given
      },
      pause: () => undefined,
      resume: () => undefined,
      close: () => end(false),
    }
  }

  return {
    connect: (chainId, { life, logger }) => {
      const options = DEFAULT_REMOTE_SIGNER_OPTIONS
      const link = createSignerLink(options, { clock: life.clock, logger })
      const dial = (): void => {
        if (away) life.later(REDIAL_MS, dial)
        else link.offer(dialIn(life, () => life.later(REDIAL_MS, dial)))
      }
      life.later(random.between(...LATENCY_MS), dial)
      return createRemoteSigner({ ...options, chainId }, { link, clock: life.clock, logger })
    },
    faults: {
      get away() {
        return away
      },
      set away(value) {
        away = value
        if (value) for (const hangUp of [...hangUps]) hangUp()
      },
    },
    stateText: () => signStateText(state),
  }
}
