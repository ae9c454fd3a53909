import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock, createSystemRandom, noopLogger } from '@org/runtime'
import { SignedMsgType } from '@org/types'
import { generateEd25519, publicKeyOf } from '@org/types/crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { ConsensusModules } from '../../src/consensus/driver/index.ts'
import type { Wal } from '../../src/consensus/wal/index.ts'
import { createSigner, INITIAL_SIGN_STATE, type PrivValidator } from '../../src/privval/index.ts'
import {
  createRemoteSigner,
  createSignerLink,
  DEFAULT_REMOTE_SIGNER_OPTIONS,
  listenForSigners,
  type RemoteSignerOptions,
} from '../../src/privval/remote/index.ts'
import { type Answering, answerWith, dialAsSigner, type Sum } from '../privval/test-signer.ts'
import { KEY, openRealNode, type RealNode, singleGenesis } from './real-node.ts'

const clock = createSystemClock()
const logger = noopLogger

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'remote-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/**
 * Starts a signer that connects to a socket of a node. The signer makes its answers with the function `answering`.
 * Returns `privval`, through which the node uses the signer, and `address`, to which another signer may connect. The
 * promise `ended` resolves when the connection of the signer has ended.
 */
async function connectSigner(answering: Answering, changes: Partial<RemoteSignerOptions> = {}) {
  const options = { ...DEFAULT_REMOTE_SIGNER_OPTIONS, ...changes }
  const link = createSignerLink(options, { clock, logger })
  const address = `unix://${temporaryFolder()}/signer.sock`
  const modules = { nodeKey: KEY, clock, random: createSystemRandom(), logger, offer: link.offer }
  const listener = await listenForSigners({ address }, modules)
  onTestFinished(async () => {
    link.close()
    await listener.close()
  })
  const { ended } = await dialAsSigner(address, answering)
  const privval = await createRemoteSigner({ ...options, chainId: 'single' }, { link, clock, logger })
  return { privval, address, ended }
}

/** A signer process that continues when the node stops, and keeps its sign state. */
const otherProcess = (): PrivValidator => createSigner(KEY, INITIAL_SIGN_STATE, { save: () => Promise.resolve() })

/** Wraps the WAL. Counts in `count` how many records were appended, and how many of these records are durable. */
function watched(modules: ConsensusModules, count: { appended: number; synced: number }): ConsensusModules['wal'] {
  return {
    open: async () => {
      const opened = await modules.wal.open()
      const wal: Wal = {
        ...opened.wal,
        append: (...given) => {
          count.appended++
          opened.wal.append(...given)
        },
        sync: async () => {
          const covers = count.appended
          await opened.wal.sync()
          count.synced = covers
        },
      }
      return { ...opened, wal }
    },
  }
}

function nameOf(question: Sum): string {
  if (question.case === 'signVoteRequest') {
    const { vote } = question.value
    return `${vote?.type === SignedMsgType.prevote ? 'prevote' : 'precommit'} ${vote?.height}`
  }
  return question.case === 'signProposalRequest' ? `proposal ${question.value.proposal?.height}` : question.case
}

test("default: the signer is asked in the reference's order, and only about durable data", async () => {
  const count = { appended: 0, synced: 0 }
  const [questions, early]: [string[], string[]] = [[], []]
  const answers = answerWith(otherProcess())
  const { privval } = await connectSigner((question) => {
    questions.push(nameOf(question))
    if (question.case !== 'pubKeyRequest' && count.synced < count.appended) early.push(nameOf(question))
    return answers(question)
  })
  const node = await openRealNode(temporaryFolder(), {
    wrap: (modules) => ({ ...modules, privval, wal: watched(modules, count) }),
  })
  await node.consensus.start()
  await node.committed(3)
  await node.stop()
  expect(questions.slice(0, 9)).toEqual([
    'pubKeyRequest',
    ...['proposal 1', 'prevote 1', 'precommit 1', 'pubKeyRequest'],
    ...['proposal 2', 'prevote 2', 'precommit 2', 'pubKeyRequest'],
  ])
  expect(early).toEqual([])
})

test.each(['proposal', 'prevote', 'precommit'])(
  'behavior: a node that crashes between a signature (%s) and the record of the signature continues with that signature',
  async (what) => {
    const folder = temporaryFolder()
    const signer = otherProcess()
    const answers = answerWith(signer)
    let dead: () => void = () => undefined
    const died = new Promise<void>((resolve) => {
      dead = resolve
    })
    const { privval } = await connectSigner(async (question) => {
      const answer = await answers(question)
      if (nameOf(question) !== `${what} 3`) return answer
      dead()
      return undefined
    })
    const stopped: RealNode = await openRealNode(folder, { wrap: (modules) => ({ ...modules, privval }) })
    await stopped.consensus.start()
    await died
    await stopped.closeStores()
    const { privval: again } = await connectSigner(answers)
    const node = await openRealNode(folder, {
      timeoutPropose: 20_000_000n,
      timeoutPrevote: 20_000_000n,
      timeoutPrecommit: 20_000_000n,
      wrap: (modules) => ({ ...modules, privval: again }),
    })
    await node.consensus.start()
    await node.committed(5)
    await node.stop()
  },
)

test('behavior: a validator without which the chain cannot continue waits for its signer without a limit', async () => {
  const answers = answerWith(otherProcess())
  const { privval, address, ended } = await connectSigner(
    (question) => (nameOf(question) === 'prevote 2' ? 'hang up' : answers(question)),
    { acceptTimeoutMs: 5, retryAfterMs: 1, attempts: 1 },
  )
  const node = await openRealNode(temporaryFolder(), { wrap: (modules) => ({ ...modules, privval }) })
  await node.consensus.start()
  await ended
  for (let i = 0; i < 10; i++) await clock.sleep(5)
  await dialAsSigner(address, answers)
  await node.committed(4)
  expect(node.blockStore.loadBlockCommit(2)?.round).toBe(0)
  await node.stop()
})

test.each([
  [19n, true],
  [21n, false],
])(
  'behavior: next to a validator of power %i, a validator of power 10 waits for its signer without a limit: %s',
  async (power, expected) => {
    const asked: unknown[] = []
    const { validators } = singleGenesis()
    const other = { address: new Uint8Array(0), pubKey: publicKeyOf(generateEd25519()), power, name: '' }
    const signer = otherProcess()
    const node = await openRealNode(temporaryFolder(), {
      genesis: singleGenesis({ validators: [...validators, other] }),
      timeoutPropose: 5_000_000n,
      wrap: (modules) => ({
        ...modules,
        privval: {
          pubKey: signer.pubKey,
          signProposal: signer.signProposal,
          signVote: (chainId, vote, options) => {
            asked.push(options?.retryForever)
            return signer.signVote(chainId, vote)
          },
        },
      }),
    })
    await node.consensus.start()
    await expect.poll(() => asked).toEqual([expected])
    await node.stop()
  },
)

test('behavior: after the signer refuses a proposal, the node commits in the next round', async () => {
  const answers = answerWith(otherProcess())
  const { privval } = await connectSigner((question) =>
    nameOf(question) === 'proposal 2' && question.case === 'signProposalRequest' && question.value.proposal?.round === 0
      ? {
          case: 'signedProposalResponse',
          value: { proposal: question.value.proposal, error: { code: 7, description: 'not now' } },
        }
      : answers(question),
  )
  const node = await openRealNode(temporaryFolder(), {
    timeoutPropose: 20_000_000n,
    timeoutPrevote: 20_000_000n,
    timeoutPrecommit: 20_000_000n,
    wrap: (modules) => ({ ...modules, privval }),
  })
  await node.consensus.start()
  await node.committed(3)
  expect(node.blockStore.loadBlockCommit(2)?.round).toBe(1)
  expect(node.blockStore.loadBlockCommit(1)?.round).toBe(0)
  await node.stop()
})
