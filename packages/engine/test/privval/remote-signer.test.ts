import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, connect as dial } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, recording, recordingLines } from '@org/golden'
import { nodeIdOf } from '@org/p2p'
import { createSystemClock, createSystemRandom, type Logger, noopLogger } from '@org/runtime'
import { Proposal, SignedMsgType, Vote, verifyProposal, verifyVote, verifyVoteAndExtension } from '@org/types'
import { bytesToHex, concatBytes } from '@org/types/bytes'
import { addressOf, generateEd25519, publicKeyOf } from '@org/types/crypto'
import { SignerMessage } from '@org/types/messages'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  createSigner,
  INITIAL_SIGN_STATE,
  PRIVVAL_ERRORS,
  type PrivValidator,
  type SignState,
} from '../../src/privval/index.ts'
import {
  createRemoteSigner,
  createSignerLink,
  DEFAULT_REMOTE_SIGNER_OPTIONS,
  type ListenOptions,
  listenForSigners,
  type RemoteSignerOptions,
  type SignerLink,
} from '../../src/privval/remote/index.ts'
import { MAX_SIGNER_HANDSHAKES } from '../../src/privval/remote/options.ts'
import { type Answering, answerWith, dialAsSigner, type Sum } from './test-signer.ts'

const CHAIN = 'golden-signer-1'
const clock = createSystemClock()
const ADDRESS = new Uint8Array(20).fill(3)

interface Listening {
  readonly address: string
  readonly link: SignerLink
  readonly connect: (chainId?: string) => Promise<PrivValidator>
}

/** Starts the node's side, to which signers can connect. It stops when the test ends. */
async function listen(
  changes: Partial<RemoteSignerOptions> = {},
  kind: 'unix' | 'tcp' = 'unix',
  more: Pick<ListenOptions, 'signerId'> & { readonly logger?: Logger } = {},
): Promise<Listening> {
  const { logger = noopLogger, ...named } = more
  const folder = mkdtempSync(join(tmpdir(), 'signer-'))
  const options = { ...DEFAULT_REMOTE_SIGNER_OPTIONS, retryAfterMs: 1, ...changes }
  const link = createSignerLink(options, { clock, logger })
  const address = kind === 'unix' ? `unix://${folder}/signer.sock` : `tcp://127.0.0.1:${await freePort()}`
  const modules = { nodeKey: generateEd25519(), clock, random: createSystemRandom(), logger, offer: link.offer }
  const listener = await listenForSigners({ address, ...named }, modules)
  onTestFinished(async () => {
    link.close()
    await listener.close()
    rmSync(folder, { recursive: true })
  })
  const connect = (chainId = CHAIN) => createRemoteSigner({ ...options, chainId }, { link, clock, logger })
  return { address, link, connect }
}

const localSigner = (key = generateEd25519(), state: SignState = INITIAL_SIGN_STATE): PrivValidator =>
  createSigner(key, state, { save: () => Promise.resolve() })

const hash = new Uint8Array(32).fill(7)
const blockId = { hash, partSetHeader: { total: 1, hash } }
const vote = (fields: Partial<Vote> = {}): Vote =>
  Vote.create({
    type: SignedMsgType.prevote,
    height: 5,
    round: 0,
    blockId,
    timestamp: 1000n,
    validatorAddress: ADDRESS,
    ...fields,
  })
const proposal = Proposal.create({
  type: SignedMsgType.proposal,
  height: 5,
  round: 0,
  polRound: -1,
  blockId,
  timestamp: 1000n,
})

interface Line {
  readonly from: 'node' | 'signer'
  readonly offset: number
  readonly prefix: number
  readonly length: number
}

/**
 * Reads a recorded conversation. Returns the node's requests, all bytes that the node sent, and a function that gives
 * the signer's recorded answers in order.
 */
function recorded(name: string): { readonly questions: Sum[]; readonly sent: Uint8Array; readonly answer: Answering } {
  const lines = recordingLines<Line>(`privval-trace/${name}/messages.jsonl`)
  const [node, signer] = ['node', 'signer'].map((from) => recording(`privval-trace/${name}/conn0.${from}.bin`))
  const slice = (all: Uint8Array | undefined, from: Line['from'], framed: boolean): Uint8Array[] =>
    lines
      .filter((line) => line.from === from)
      .map(({ offset, prefix, length }) =>
        (all as Uint8Array).subarray(framed ? offset : offset + prefix, offset + prefix + length),
      )
  const answers = slice(signer, 'signer', true)
  const questions = slice(node, 'node', false).map((bytes) => SignerMessage.decode(bytes).sum as Sum)
  return { questions, sent: node as Uint8Array, answer: () => answers.shift() }
}

/** Sends the requests of a recorded node to a signer. Returns the result of each request to sign. */
async function askAgain(questions: readonly Sum[], signer: PrivValidator): Promise<unknown[]> {
  const outcomes: unknown[] = []
  for (const question of questions) {
    if (question.case === 'pubKeyRequest') await signer.refresh?.()
    else if (question.case === 'signVoteRequest') {
      const { chainId, vote: wanted } = question.value
      outcomes.push(await signer.signVote(chainId, wanted as Vote, { withExtension: false }).catch((e: unknown) => e))
    } else if (question.case === 'signProposalRequest') {
      const { chainId, proposal: wanted } = question.value
      outcomes.push(await signer.signProposal(chainId, wanted as Proposal).catch((e: unknown) => e))
    }
  }
  return outcomes
}

describe('as recorded', () => {
  test('default: the questions of ten heights are the recorded ones, byte for byte', async () => {
    const { questions, sent, answer } = recorded('1-ten-heights')
    const { address, connect } = await listen()
    const peer = await dialAsSigner(address, answer)
    const outcomes = await askAgain(questions.slice(1), await connect())
    expect(outcomes.length).toBeGreaterThan(30)
    for (const outcome of outcomes) expect(outcome).toMatchObject({ signature: { length: 64 } })
    expect(bytesToHex(peer.received())).toBe(bytesToHex(sent))
  })

  test('behavior: a signer that refuses is not asked again, and stays connected', async () => {
    const { questions, sent, answer } = recorded('2-signer-refuses-regression')
    const { address, connect, link } = await listen({ pingAfterMs: 60 })
    const peer = await dialAsSigner(address, answer)
    const outcomes = await askAgain(questions.slice(1), await connect())
    expect(outcomes).toHaveLength(2)
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        code: PRIVVAL_ERRORS.signerRefused,
        data: { code: 0, description: expect.stringMatching(/: height regression\. Got 12, last height 1000$/) },
      })
    }
    // After the last answer the node sends nothing until the next ping. So the signer has received exactly the recorded
    // bytes.
    await expect.poll(() => peer.received().length).toBe(sent.length)
    expect(bytesToHex(peer.received())).toBe(bytesToHex(sent))
    expect(link.isConnected()).toBe(true)
  })

  test('error: a signer of another chain refuses to send its public key', async () => {
    const { sent, answer } = recorded('3-wrong-chain-id')
    const { address, connect } = await listen()
    const peer = await dialAsSigner(address, answer)
    await expect(connect()).rejects.toMatchObject({
      code: PRIVVAL_ERRORS.signerRefused,
      message: 'the remote signer returned error #0: unable to provide pubkey',
    })
    expect(bytesToHex(peer.received())).toBe(bytesToHex(sent))
  })
})

describe('signing', () => {
  test('default: over a secret connection, votes, extensions and proposals are signed', async () => {
    const { address, connect } = await listen({}, 'tcp')
    const local = localSigner()
    await dialAsSigner(address, answerWith(local))
    const remote = await connect()
    const publicKey = local.pubKey()
    expect(remote.pubKey()).toEqual(publicKey)
    const validatorAddress = addressOf(publicKey)
    verifyProposal(CHAIN, publicKey, await remote.signProposal(CHAIN, proposal))
    verifyVote(CHAIN, publicKey, await remote.signVote(CHAIN, vote({ validatorAddress })))
    const extended = vote({ validatorAddress, type: SignedMsgType.precommit, extension: Uint8Array.of(1, 2) })
    const signed = await remote.signVote(CHAIN, extended)
    verifyVoteAndExtension(CHAIN, publicKey, signed)
    const plain = await remote.signVote(CHAIN, { ...extended, timestamp: 2000n }, { withExtension: false })
    expect(plain).toEqual({ ...signed, extensionSignature: new Uint8Array(0) })
    expect(remote.isLocal).toBeUndefined()
    expect(remote.makeDurable).toBeUndefined()
  })

  test("behavior: the signer's key is read again", async () => {
    const { address, connect } = await listen()
    let local = localSigner()
    await dialAsSigner(address, (question) => answerWith(local)(question))
    const remote = await connect()
    local = localSigner()
    expect(remote.pubKey()).not.toEqual(local.pubKey())
    await remote.refresh?.()
    expect(remote.pubKey()).toEqual(local.pubKey())
  })

  test('behavior: after a signer disconnects or stops answering, the next signer that connects is asked', async () => {
    const { address, connect } = await listen({ answerTimeoutMs: 100 })
    const local = localSigner()
    const answers = answerWith(local)
    const failing = (what: 'hang up' | undefined): Answering => {
      return (question) => (question.case === 'signVoteRequest' ? what : answers(question))
    }
    const first = await dialAsSigner(address, failing('hang up'))
    const remote = await connect()
    const signed = remote.signVote(CHAIN, vote())
    await first.ended
    const second = await dialAsSigner(address, failing(undefined))
    await second.ended
    await dialAsSigner(address, answers)
    expect(await signed).toMatchObject({ height: 5, timestamp: 1000n, signature: { length: 64 } })
  })

  test('behavior: one of several signers is asked, and the signer that connected last replaces it', async () => {
    const { address, connect, link } = await listen()
    const keys = [generateEd25519(), generateEd25519(), generateEd25519()].map((key) => localSigner(key))
    const [first, second] = [
      await dialAsSigner(address, answerWith(keys[0] as PrivValidator)),
      await dialAsSigner(address, answerWith(keys[1] as PrivValidator)),
    ]
    const third = await dialAsSigner(address, answerWith(keys[2] as PrivValidator))
    await second.ended
    const remote = await connect()
    expect(remote.pubKey()).toEqual(keys[0]?.pubKey())
    expect(third.received().length).toBe(0)
    first.hangUp()
    await expect
      .poll(async () => {
        await remote.refresh?.()
        return link.isConnected() && remote.pubKey()
      })
      .toEqual(keys[2]?.pubKey())
  })

  test('behavior: closing ends calls that wait for an answer or for a signer', async () => {
    const waiting = await listen()
    const unanswered = waiting.connect()
    const refused = expect(unanswered).rejects.toMatchObject({ code: PRIVVAL_ERRORS.closed })
    await Promise.resolve()
    waiting.link.close()
    await refused
    await expect(waiting.connect()).rejects.toMatchObject({ code: PRIVVAL_ERRORS.closed })

    const { address, connect, link } = await listen()
    const local = localSigner()
    const asked = new Promise<void>((resolve) => {
      const answering: Answering = (question) => {
        if (question.case !== 'signVoteRequest') return answerWith(local)(question)
        resolve()
        return undefined
      }
      void dialAsSigner(address, answering)
    })
    const remote = await connect()
    const ended = expect(remote.signVote(CHAIN, vote())).rejects.toMatchObject({ code: PRIVVAL_ERRORS.closed })
    await asked
    link.close()
    await ended
    await remote.refresh?.()
  })
})

describe('faults', () => {
  test('error: reports that no signer connects', async () => {
    const { connect } = await listen({ acceptTimeoutMs: 20 })
    await expect(connect()).rejects.toMatchObject({ code: PRIVVAL_ERRORS.noSigner })
  })

  test('error: fails after all attempts if the signer does not connect', async () => {
    const { address, connect } = await listen({ acceptTimeoutMs: 5, attempts: 3 })
    const signer = await dialAsSigner(address, answerWith(localSigner()))
    const remote = await connect()
    signer.hangUp()
    await expect(remote.signVote(CHAIN, vote())).rejects.toMatchObject({ code: PRIVVAL_ERRORS.noSigner })
  })

  test('behavior: after a time-out a call does not wait for the signer until it answers, except a retryForever call', async () => {
    const { address, connect } = await listen({ acceptTimeoutMs: 5, attempts: 2 })
    const answers = answerWith(localSigner())
    const first = await dialAsSigner(address, answers)
    const remote = await connect()
    first.hangUp()
    const refusals: unknown[] = []
    for (let i = 0; i < 2; i++) refusals.push(await remote.signProposal(CHAIN, proposal).catch((e: unknown) => e))
    expect(refusals).toMatchObject(
      [{ message: /within 5 ms/ }, { message: /within 0 ms/ }].map(({ message }) => ({
        code: PRIVVAL_ERRORS.noSigner,
        message: expect.stringMatching(message),
      })),
    )
    const retryForever = remote.signProposal(CHAIN, proposal, { retryForever: true })
    // The signer is disconnected for so long that without the option `retryForever` all attempts would fail.
    for (let i = 0; i < 5; i++) await clock.sleep(5)
    const second = await dialAsSigner(address, answers)
    expect(await retryForever).toMatchObject({ signature: { length: 64 } })
    second.hangUp()
    await second.ended
    await expect(remote.signVote(CHAIN, vote())).rejects.toThrow('within 5 ms')
  })

  const framed = (bytes: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(bytes.length), bytes)
  test.each([
    ['a message over the limit', Uint8Array.of(0x81, 0x50)],
    ['a length without end', new Uint8Array(11).fill(0xff)],
    ['a message that cannot be read', framed(Uint8Array.of(0x0a, 0x05, 0x01))],
    ['an empty message', Uint8Array.of(0)],
    ['the answer to another question', SignerMessage.encodeDelimited({ sum: { case: 'pingResponse', value: {} } })],
  ])('error: %s ends the connection', async (_, bytes) => {
    const { address, connect } = await listen({ attempts: 1 })
    const answers = answerWith(localSigner())
    const signer = await dialAsSigner(address, (question) =>
      question.case === 'signProposalRequest' ? bytes : answers(question),
    )
    const remote = await connect()
    await expect(remote.signProposal(CHAIN, proposal)).rejects.toMatchObject({ code: PRIVVAL_ERRORS.signerLost })
    await signer.ended
  })

  test('error: a signer that sends a message without a request is disconnected, also while it waits', async () => {
    const { address, link } = await listen({ pingAfterMs: 600_000 })
    const [signer, other] = [await dialAsSigner(address, () => undefined), await dialAsSigner(address, () => undefined)]
    other.send(Uint8Array.of(1))
    await other.ended
    signer.send(SignerMessage.encodeDelimited({ sum: { case: 'pingResponse', value: {} } }))
    await signer.ended
    expect(link.isConnected()).toBe(false)
  })

  test('error: any bytes lead to an answer or a coded error, within the memory of one message', async () => {
    const { address, connect } = await listen({ attempts: 1, answerTimeoutMs: 30 })
    const answers = answerWith(localSigner())
    let sent: Uint8Array | undefined
    const answering: Answering = (question) => (question.case === 'signVoteRequest' ? sent : answers(question))
    await dialAsSigner(address, answering)
    const remote = await connect()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        sent = bytes
        const error = await remote.signVote(CHAIN, vote()).catch((e: unknown) => e)
        const { code } = error as { code?: unknown }
        expect([PRIVVAL_ERRORS.signerLost, PRIVVAL_ERRORS.signerAnswer, PRIVVAL_ERRORS.signerRefused]).toContain(code)
        if (code === PRIVVAL_ERRORS.signerLost) await dialAsSigner(address, answering)
      }),
      { numRuns: 30 },
    )
  })

  test('error: refuses a signature of other content, or by another key', async () => {
    const { address, connect } = await listen({ attempts: 1 })
    const [local, other] = [localSigner(), localSigner()]
    let answers = answerWith(local)
    await dialAsSigner(address, (question) => {
      if (question.case !== 'signVoteRequest') return answers(question)
      const { vote: wanted, chainId } = question.value
      return answers({ case: question.case, value: { vote: { ...(wanted as Vote), round: 1 }, chainId } })
    })
    const remote = await connect()
    await expect(remote.signVote(CHAIN, vote())).rejects.toMatchObject({ code: PRIVVAL_ERRORS.signerAnswer })
    answers = answerWith(other)
    await expect(remote.signProposal(CHAIN, proposal)).rejects.toMatchObject({ code: PRIVVAL_ERRORS.signerAnswer })
  })

  test('error: refuses an address that is invalid, or in use', async () => {
    const modules = {
      nodeKey: generateEd25519(),
      clock,
      random: createSystemRandom(),
      logger: noopLogger,
      offer: () => undefined,
    }
    const code = PRIVVAL_ERRORS.listen
    await expect(listenForSigners({ address: 'grpc://127.0.0.1:1' }, modules)).rejects.toMatchObject({ code })
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    await expect(listenForSigners({ address: `tcp://127.0.0.1:${port}` }, modules)).rejects.toMatchObject({
      code,
      cause: { code: 'EADDRINUSE' },
    })
    await new Promise((resolve) => server.close(resolve))
  })

  test('behavior: other users cannot connect to the unix socket', async () => {
    const { address } = await listen()
    expect(statSync(address.slice('unix://'.length)).mode & 0o777).toBe(0o600)
  })

  test('behavior: only the configured signer may connect', async () => {
    const lines: unknown[] = []
    const logger: Logger = { ...noopLogger, error: (...line) => lines.push(line) }
    const [own, foreign] = [generateEd25519(), generateEd25519()]
    const signerId = nodeIdOf(publicKeyOf(own))
    const { address, connect, link } = await listen({}, 'tcp', { signerId: signerId.toUpperCase(), logger })
    const questions: string[] = []
    const answers = answerWith(localSigner())
    const noted: Answering = (question) => {
      questions.push(question.case)
      return answers(question)
    }
    const stranger = await dialAsSigner(address, noted, foreign)
    await stranger.ended
    expect([questions, link.isConnected()]).toEqual([[], false])
    const named = {
      err: expect.stringContaining(`its ID is ${nodeIdOf(publicKeyOf(foreign))}`),
      code: 'PRIVVAL_SIGNER_UNKNOWN',
    }
    expect(lines).toEqual([['Refused a remote signer', expect.objectContaining(named)]])
    await dialAsSigner(address, noted, own)
    const remote = await connect()
    expect((await remote.signVote(CHAIN, vote())).signature).toHaveLength(64)
    expect(questions).toContain('signVoteRequest')
  })

  test('error: unfinished handshakes do not keep other signers out', async () => {
    const { address, link } = await listen({}, 'tcp')
    const { port } = new URL(address)
    const sockets = Array.from({ length: MAX_SIGNER_HANDSHAKES }, () => dial(Number(port), '127.0.0.1'))
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))))
    const ended = new Promise((resolve) => sockets[0]?.once('close', resolve))
    await dialAsSigner(address, () => undefined)
    await expect.poll(link.isConnected).toBe(true)
    await ended
    for (const socket of sockets) socket.destroy()
  })
})
