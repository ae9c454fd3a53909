import { connect } from 'node:net'
import type { PrivValidator } from '@org/engine/privval'
import { concatBytes } from '@org/types/bytes'
import { SignerMessage } from '@org/types/messages'
import { readUvarint } from '@org/types/schema'
import { onTestFinished } from 'vitest'

type Sum = NonNullable<SignerMessage['sum']>

async function answer(signer: PrivValidator, question: Sum): Promise<Sum> {
  if (question.case === 'pubKeyRequest') {
    return { case: 'pubKeyResponse', value: { pubKey: signer.pubKey(), error: undefined } }
  }
  if (question.case === 'signVoteRequest' && question.value.vote !== undefined) {
    const vote = await signer.signVote(question.value.chainId, question.value.vote)
    return { case: 'signedVoteResponse', value: { vote, error: undefined } }
  }
  if (question.case === 'signProposalRequest' && question.value.proposal !== undefined) {
    const proposal = await signer.signProposal(question.value.chainId, question.value.proposal)
    return { case: 'signedProposalResponse', value: { proposal, error: undefined } }
  }
  return { case: 'pingResponse', value: {} }
}

/**
 * Dials a node's socket again and again until it can connect. Then signs for the node. Returns a function that
 * disconnects. The end of the test also disconnects.
 */
export async function signFor(path: string, signer: PrivValidator): Promise<() => void> {
  const socket = await new Promise<ReturnType<typeof connect>>((resolve) => {
    const dial = (): void => {
      const dialled = connect(path)
      dialled.once('connect', () => resolve(dialled))
      dialled.once('error', () => setTimeout(dial, 20))
    }
    dial()
  })
  let buffer: Uint8Array = new Uint8Array(0)
  socket.on('error', () => undefined)
  socket.on('data', (data: Buffer) => {
    buffer = concatBytes(buffer, data)
    for (;;) {
      const length = readUvarint(buffer)
      if (length === undefined || length === 'overlong' || buffer.length < length.size + length.value) return
      const { sum } = SignerMessage.decode(buffer.slice(length.size, length.size + length.value))
      buffer = buffer.subarray(length.size + length.value)
      void answer(signer, sum as Sum).then((answered) => socket.write(SignerMessage.encodeDelimited({ sum: answered })))
    }
  })
  const hangUp = (): void => void socket.destroy()
  onTestFinished(hangUp)
  return hangUp
}
