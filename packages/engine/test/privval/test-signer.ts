import { connect } from 'node:net'
import { type ByteTransport, dialTcp, ephemeralKeys, secure, tcpTransport } from '@org/p2p'
import { createSystemClock, createSystemRandom, messageOf } from '@org/runtime'
import { concatBytes } from '@org/types/bytes'
import { generateEd25519, type PrivateKey } from '@org/types/crypto'
import { SignerMessage } from '@org/types/messages'
import { Cursor } from '@org/types/schema'
import { onTestFinished } from 'vitest'
import type { PrivValidator } from '../../src/privval/index.ts'

export type Sum = NonNullable<SignerMessage['sum']>

/** A signer's reaction to a request: an answer, raw bytes, no answer, or the end of the connection. */
export type Answer = Sum | Uint8Array | undefined | 'hang up'
export type Answering = (question: Sum) => Answer | Promise<Answer>

export interface TestSigner {
  /** All bytes that the node sent, after decryption if the connection is secret. */
  readonly received: () => Uint8Array
  readonly send: (bytes: Uint8Array) => void
  readonly hangUp: () => void
  /** Resolves when the connection has ended. */
  readonly ended: Promise<void>
}

/**
 * Connects to a node at `tcp://127.0.0.1:port` or `unix://path`, as a signer does, and answers the node's requests.
 * Over TCP it proves that it has the private key `key`.
 */
export async function dialAsSigner(
  address: string,
  answering: Answering,
  key: PrivateKey = generateEd25519(),
): Promise<TestSigner> {
  const transport = address.startsWith('unix://') ? await dialUnix(address.slice(7)) : await dialSecret(address, key)
  let received: Uint8Array = new Uint8Array(0)
  let read = 0
  const ended = new Promise<void>((resolve) => {
    transport.handle({
      data: (bytes) => {
        received = concatBytes(received, bytes)
        void answerAll()
      },
      drain: () => undefined,
      close: () => resolve(),
    })
  })

  async function answerAll(): Promise<void> {
    while (read < received.length) {
      const cursor = new Cursor(received.subarray(read))
      const length = cursor.length()
      const start = read + cursor.pos
      read = start + length
      const { sum } = SignerMessage.decode(received.subarray(start, read))
      const answer = await answering(sum as Sum)
      if (answer === 'hang up') transport.close()
      else if (answer instanceof Uint8Array) transport.write(answer)
      else if (answer !== undefined) transport.write(SignerMessage.encodeDelimited({ sum: answer }))
    }
  }

  transport.resume()
  onTestFinished(transport.close)
  return { received: () => received, send: (bytes) => void transport.write(bytes), hangUp: transport.close, ended }
}

function dialUnix(path: string): Promise<ByteTransport> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('error', reject)
    socket.once('connect', () => resolve(tcpTransport(socket)))
  })
}

async function dialSecret(address: string, privateKey: PrivateKey): Promise<ByteTransport> {
  const { hostname: host, port } = new URL(address)
  const transport = await dialTcp({ host, port: Number(port) }, { timeoutMs: 5_000 })
  const ephemeral = ephemeralKeys(createSystemRandom().bytes(32))
  const options = { privateKey, ephemeral, timeoutMs: 5_000 }
  return secure(transport, options, createSystemClock())
}

const refusal = (error: unknown) => ({ code: 0, description: messageOf(error) })

/**
 * Returns a function that answers requests as the reference's signer does: with the signatures of `signer`, or with the
 * error of its refusal.
 */
export function answerWith(signer: PrivValidator): (question: Sum) => Promise<Sum | undefined> {
  return async (question) => {
    switch (question.case) {
      case 'pubKeyRequest':
        return { case: 'pubKeyResponse', value: { pubKey: signer.pubKey(), error: undefined } }
      case 'pingRequest':
        return { case: 'pingResponse', value: {} }
      case 'signVoteRequest': {
        const { vote, chainId } = question.value
        if (vote === undefined) return undefined
        return signer.signVote(chainId, vote).then(
          (signed) => ({ case: 'signedVoteResponse', value: { vote: signed, error: undefined } }) as const,
          (error: unknown) => ({ case: 'signedVoteResponse', value: { vote, error: refusal(error) } }) as const,
        )
      }
      case 'signProposalRequest': {
        const { proposal, chainId } = question.value
        if (proposal === undefined) return undefined
        const name = 'signedProposalResponse'
        return signer.signProposal(chainId, proposal).then(
          (signed) => ({ case: name, value: { proposal: signed, error: undefined } }) as const,
          (error: unknown) => ({ case: name, value: { proposal, error: refusal(error) } }) as const,
        )
      }
      default:
        return undefined
    }
  }
}
