import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultConsensusParams, type EventData, SignedMsgType, Vote } from '@org/types'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'
import { generateEd25519, publicKeyOf } from '@org/types/crypto'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { CONSENSUS_ERRORS, type ConsensusError, type GossipPort } from '../../src/consensus/driver/index.ts'
import { RoundStep } from '../../src/consensus/machine/index.ts'
import type { Wal } from '../../src/consensus/wal/index.ts'
import type { PrivValidator } from '../../src/privval/index.ts'
import { POOLED_SIGNATURES, type SignatureChecker } from '../../src/signatures/index.ts'
import { KEY, openRealNode, type RealNode, type RealNodeOptions, singleGenesis } from './real-node.ts'

const HASH = new Uint8Array(32).fill(1)

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'driver-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
})

async function open(options: RealNodeOptions = {}): Promise<RealNode> {
  const node = await openRealNode(directory, options)
  onTestFinished(node.stop)
  return node
}

const halted = (node: RealNode): Promise<ConsensusError> => new Promise((resolve) => node.consensus.onHalt(resolve))

describe('one validator', () => {
  it('default: it makes blocks, stops, and continues', async () => {
    const first = await open()
    await first.consensus.start()
    await first.committed(5)
    await first.stop()
    const height = first.blockStore.height()
    const second = await open()
    expect(second.consensus.roundState().height).toBe(height + 1)
    await second.consensus.start()
    await second.committed(height + 5)
    const commit = second.blockStore.loadBlockCommit(height + 1)
    expect(commit?.signatures.length).toBe(1)
  })

  it('behavior: it is busy while a height is in progress, and reports commits and pauses', async () => {
    const { consensus, committed } = await open({ createEmptyBlocks: false })
    const pauses: string[] = []
    consensus.onPause(() => void pauses.push(`${consensus.roundState().step}${consensus.isBusy() ? ', busy' : ''}`))
    expect(consensus.isBusy()).toBe(false)
    await consensus.start()
    await committed(1)
    // Empty blocks are off, so without transactions the node makes no second block.
    await expect.poll(() => pauses.at(-1)).toBe(`${RoundStep.newRound}`)
    expect(consensus.isBusy()).toBe(false)
    expect(pauses.filter((pause) => pause === `${RoundStep.commit}, busy`).length).toBe(1)
  })

  it('behavior: events come in the order of the round, before the events of the block', async () => {
    const seen: string[] = []
    const publish = (event: EventData): void => {
      const height = 'height' in event ? event.height : event.type === 'Vote' ? event.vote.height : undefined
      if (height === 2) seen.push('step' in event && event.type === 'NewRoundStep' ? event.step : event.type)
    }
    const node = await open({ wrap: (modules) => ({ ...modules, events: { publish } }) })
    await node.consensus.start()
    await node.committed(3)
    expect(seen).toEqual([
      'RoundStepNewHeight',
      'NewRound',
      'RoundStepPropose',
      'CompleteProposal',
      'RoundStepPrevote',
      'Vote',
      'ValidBlock',
      'Polka',
      'Lock',
      'RoundStepPrecommit',
      'Vote',
      'RoundStepCommit',
    ])
  })

  it('behavior: nothing is shown to peers before it is durable', async () => {
    // The signatures in the order in which they were written to the WAL. `durable` is the number of these signatures
    // that are on disk, in the WAL and in the signer's file.
    const written: string[] = []
    let durable = 0
    const shown: string[] = []
    const early: string[] = []
    const name = ({ signature }: { signature: Uint8Array }): string => bytesToHex(signature)
    const gossip: GossipPort = {
      hint: (hint) => {
        if (hint.type !== 'proposal' && hint.type !== 'hasVote') return
        const sent = name(hint.type === 'proposal' ? hint.proposal : hint.vote)
        shown.push(sent)
        if (written.indexOf(sent) >= durable) early.push(hint.type)
      },
      judgement: () => undefined,
    }
    const node = await open({
      wrap: (modules) => {
        const privval = modules.privval as PrivValidator
        const makeDurable = async (after?: Promise<unknown>): Promise<void> => {
          const covers = written.length
          await privval.makeDurable?.(after)
          durable = covers
        }
        const open = async () => {
          const opened = await modules.wal.open()
          const append: Wal['append'] = (message, time) => {
            const { sum } = message
            const inner = sum?.case === 'msgInfo' ? sum.value.msg.sum : undefined
            if (inner?.case === 'proposal') written.push(name(inner.value.proposal))
            if (inner?.case === 'vote' && inner.value.vote !== undefined) written.push(name(inner.value.vote))
            opened.wal.append(message, time)
          }
          return { ...opened, wal: { ...opened.wal, append } }
        }
        return { ...modules, gossip, privval: { ...privval, makeDurable }, wal: { open } }
      },
    })
    await node.consensus.start()
    // The node stores block `h` only after the messages of all heights up to `h − 2` were shown to peers. So when block
    // 7 is stored, the messages of heights 1 to 5 were shown. Each height has three messages: proposal, prevote and
    // precommit.
    await node.committed(7)
    expect(shown.length).toBeGreaterThanOrEqual(15)
    expect(early).toEqual([])
  })

  it('behavior: transactions wake it up when empty blocks are off', async () => {
    const node = await open({ createEmptyBlocks: false })
    await node.consensus.start()
    // The first block is always made. Later, a node makes an empty block only if the app hash has changed. The app hash
    // of this application never changes, so the second block needs transactions.
    await node.committed(1)
    await expect.poll(() => node.consensus.roundState().step).toBe(RoundStep.newRound)
    expect(node.consensus.roundState().height).toBe(2)
    await node.mempool.checkTx(utf8ToBytes('a=b'))
    await node.committed(2)
    expect(node.blockStore.loadBlock(2)?.data.txs).toEqual([utf8ToBytes('a=b')])
  })

  it('behavior: empty blocks come at their interval', async () => {
    const node = await open({ createEmptyBlocks: true, createEmptyBlocksInterval: 30_000_000n })
    await node.consensus.start()
    await node.committed(4)
    const times = [2, 3, 4].map((height) => node.blockStore.loadBlockMeta(height)?.header.time as bigint)
    expect(Number((times[2] as bigint) - (times[1] as bigint)) / 1e6).toBeGreaterThan(25)
  })

  it('behavior: vote extensions are signed, stored and given to the next proposal', async () => {
    const seen: unknown[] = []
    const node = await open({
      genesis: singleGenesis({
        consensusParams: { ...defaultConsensusParams(), abci: { voteExtensionsEnableHeight: 1 } },
      }),
      app: {
        extendVote: ({ height }) => ({ voteExtension: utf8ToBytes(`e${height}`) }),
        prepareProposal: ({ txs, localLastCommit }) => {
          seen.push(localLastCommit?.votes.map(({ voteExtension }) => new TextDecoder().decode(voteExtension)))
          return { txs }
        },
      },
    })
    await node.consensus.start()
    await node.committed(3)
    expect(seen.slice(0, 3)).toEqual([[], ['e1'], ['e2']])
    expect(node.blockStore.loadExtendedCommit(2)?.extendedSignatures[0]?.extension).toEqual(utf8ToBytes('e2'))
    const height = node.blockStore.height()
    await node.stop()
    // After a restart the last commit of the node contains the extensions again.
    const again = await open({ genesis: singleGenesis(), app: {} })
    expect(again.consensus.roundState().lastCommit?.vote(0)?.extension.length).toBeGreaterThan(0)
    expect(again.consensus.roundState().height).toBeGreaterThanOrEqual(height)
  })

  it('behavior: without a key it follows the chain and sends no votes', async () => {
    const node = await open({
      timeoutPropose: 5_000_000n,
      wrap: (modules) => {
        const silent: { -readonly [K in keyof typeof modules]: (typeof modules)[K] } = { ...modules }
        delete silent.privval
        return silent
      },
    })
    await node.consensus.start()
    await expect.poll(() => node.consensus.roundState().step).toBe(RoundStep.prevote)
    expect(node.blockStore.height()).toBe(0)
  })
})

describe('faults', () => {
  it('error: an application that fails stops consensus with a code', async () => {
    const node = await open({
      app: {
        finalizeBlock: ({ height, txs }) => {
          if (height === 3) throw new Error('out of order')
          return { txResults: txs.map(() => ({ code: 0 })) as never }
        },
      },
    })
    const failure = halted(node)
    await node.consensus.start()
    const error = await failure
    expect(error).toMatchObject({ code: CONSENSUS_ERRORS.execution })
    expect(error.message).toContain('block 3 cannot be executed')
    expect(node.consensus.isRunning()).toBe(false)
    // The block is stored although it could not be executed. The next start executes it.
    expect(node.blockStore.height()).toBe(3)
    await node.stop()
    const again = await open()
    expect(again.consensus.roundState().height).toBe(4)
    await again.consensus.start()
    await again.committed(5)
  })

  it('behavior: a validator that decides alone without a pause still processes the messages of its peers', async () => {
    const heights: number[] = []
    const gossip: GossipPort = {
      hint: () => undefined,
      judgement: () => heights.push(node.consensus.roundState().height),
    }
    const node = await open({ wrap: (modules) => ({ ...modules, gossip }) })
    const tooLate = node.committed(20)
    await node.consensus.start()
    const vote = Vote.create({ type: SignedMsgType.precommit, height: 1_000_000 })
    for (let i = 0; i < 3; i++) void node.consensus.receive('stranger', { kind: 'vote', vote })
    await tooLate
    expect(heights.length).toBe(3)
    // After 16 local inputs, the driver takes one message of a peer. A height needs about five local inputs. So the
    // node decides three or four heights between two messages of peers.
    expect(Math.max(...heights)).toBeLessThanOrEqual(14)
  })

  it('error: a message of a peer whose record does not fit into the WAL is refused, and consensus continues', async () => {
    const judgements: unknown[] = []
    const gossip: GossipPort = {
      hint: () => undefined,
      judgement: (peerId, message, judgement) => judgements.push({ peerId, kind: message.kind, judgement }),
    }
    // The checker accepts every signature, because this test is only about the size of the message in the WAL.
    const signatures = { ...POOLED_SIGNATURES, verifyQuickly: () => true }
    const node = await open({
      // The first height starts in one hour, so the height does not change during the test.
      timeoutCommit: 3_600_000_000_000n,
      wrap: (modules) => ({ ...modules, gossip, signatures }),
    })
    await node.consensus.start()
    const [validator] = node.consensus.roundState().validators.validators
    const vote = Vote.create({
      type: SignedMsgType.precommit,
      height: 1,
      validatorAddress: validator?.address as Uint8Array,
      extension: new Uint8Array(1_048_576),
    })
    await node.consensus.receive('stranger', { kind: 'vote', vote })
    await expect.poll(() => judgements.length).toBe(1)
    await node.consensus.receive('stranger', { kind: 'vote', vote: { ...vote, height: 9 } })
    await expect.poll(() => judgements.length).toBe(2)
    expect(node.consensus.isRunning()).toBe(true)
    expect(judgements.pop()).toMatchObject({ judgement: { outcome: 'ignore' } })
    expect(judgements).toEqual([
      {
        peerId: 'stranger',
        kind: 'vote',
        judgement: {
          outcome: 'reject',
          fault: 'oversized',
          code: 'WAL_TOO_BIG',
          reason: expect.stringContaining('msg is too big'),
        },
      },
    ])
  })

  it.each([
    ['one validator, whose votes the machine verifies', 1, 11],
    ['twenty validators, whose votes are verified ahead', 20, 32],
  ])(
    'error: forged votes are verified once, and not at all after the peer is stopped: %s',
    async (_who, count, most) => {
      const others = Array.from({ length: count - 1 }, (_, i) => ({
        address: new Uint8Array(0),
        pubKey: publicKeyOf(generateEd25519(new Uint8Array(32).fill(i + 2))),
        power: 1n,
        name: '',
      }))
      const own = { address: new Uint8Array(0), pubKey: publicKeyOf(KEY), power: 1000n, name: '' }
      let forgeries = 0
      let quick = 0
      let exact = 0
      const isForged = ({ signature }: { readonly signature: Uint8Array }): boolean => signature[0] === 0xee
      const gossip: GossipPort = {
        hint: () => undefined,
        judgement: (peerId, _message, judgement) => {
          if (judgement.outcome !== 'reject' || judgement.fault !== 'forged') return
          if (++forgeries > 10) node.consensus.forget(peerId)
        },
      }
      const signatures: SignatureChecker = {
        ...POOLED_SIGNATURES,
        verifyQuickly: (item) => {
          if (isForged(item)) quick++
          return POOLED_SIGNATURES.verifyQuickly(item)
        },
        verifyAllQuickly: (items) => {
          quick += items.filter(isForged).length
          return POOLED_SIGNATURES.verifyAllQuickly(items)
        },
        verifyExactly: (item) => {
          exact++
          return POOLED_SIGNATURES.verifyExactly(item)
        },
      }
      const node = await open({
        genesis: singleGenesis({ validators: [own, ...others] }),
        timeoutCommit: 3_600_000_000_000n,
        wrap: (modules) => ({ ...modules, gossip, signatures }),
      })
      await node.consensus.start()
      // The first height starts in one hour. The node accepts votes during this time.
      const { validators } = node.consensus.roundState().validators
      const validatorIndex = validators.length - 1
      const { address } = validators[validatorIndex] as { readonly address: Uint8Array }
      const vote = Vote.create({
        type: SignedMsgType.prevote,
        height: 1,
        blockId: { hash: HASH, partSetHeader: { total: 1, hash: HASH } },
        timestamp: 1n,
        validatorAddress: address,
        validatorIndex,
        // The second half of the signature is a number below the order of the group. So the signature has a valid form,
        // and only the exact check can refuse it.
        signature: new Uint8Array(64).fill(0xee).with(63, 0),
      })
      for (let i = 0; i < 300; i++) void node.consensus.receive('liar', { kind: 'vote', vote: { ...vote } })
      await expect.poll(() => forgeries).toBe(11)
      await expect.poll(() => node.consensus.sizes().inbox).toBe(0)
      expect([forgeries, quick, exact]).toEqual([11, most, 11])
      expect(node.consensus.isRunning()).toBe(true)
    },
  )

  it('error: the error for an extension that is too long names the application and both sizes', async () => {
    const node = await open({
      genesis: singleGenesis({
        consensusParams: { ...defaultConsensusParams(), abci: { voteExtensionsEnableHeight: 1 } },
      }),
      app: { extendVote: () => ({ voteExtension: new Uint8Array(1_048_000) }) },
    })
    const failure = halted(node)
    await node.consensus.start()
    const error = await failure
    expect(error).toMatchObject({ code: CONSENSUS_ERRORS.extension, data: { size: 1_048_000, limit: 1_047_320 } })
    expect(error.message).toContain("the application's ExtendVote answered with an extension of 1048000 bytes")
  })

  it('error: a signer whose disk fails stops consensus before anything is shown', async () => {
    const node = await open({
      wrap: (modules) => ({
        ...modules,
        privval: {
          ...(modules.privval as NonNullable<typeof modules.privval>),
          makeDurable: () => Promise.reject(new Error('no space left')),
        },
      }),
    })
    const failure = halted(node)
    await node.consensus.start()
    expect(await failure).toMatchObject({ code: CONSENSUS_ERRORS.signer })
    expect(node.stateStore.load()?.lastBlockHeight ?? 0).toBe(0)
  })

  it('error: a WAL that cannot be written stops consensus', async () => {
    const node = await open({
      wrap: (modules) => ({
        ...modules,
        wal: {
          open: async () => {
            const opened = await modules.wal.open()
            return { ...opened, wal: { ...opened.wal, sync: () => Promise.reject(new Error('read-only')) } }
          },
        },
      }),
    })
    const failure = halted(node)
    await node.consensus.start()
    expect(await failure).toMatchObject({ code: CONSENSUS_ERRORS.wal })
  })

  it('error: a sync that the WAL began by itself and that fails stops consensus at once', async () => {
    let fail: (error: unknown) => void = () => undefined
    const node = await open({
      timeoutPropose: 5_000_000n,
      wrap: (modules) => ({
        ...modules,
        wal: {
          open: (onFailure) => {
            fail = onFailure ?? fail
            return modules.wal.open()
          },
        },
      }),
    })
    await node.consensus.start()
    const failure = halted(node)
    fail(new Error('EIO'))
    expect(await failure).toMatchObject({ code: CONSENSUS_ERRORS.wal, message: 'the WAL cannot be written: EIO' })
    expect(node.consensus.isRunning()).toBe(false)
  })

  it('behavior: a node whose signer refuses to sign keeps running', async () => {
    const node = await open({
      timeoutPropose: 5_000_000n,
      wrap: (modules) => ({
        ...modules,
        privval: {
          pubKey: (modules.privval as NonNullable<typeof modules.privval>).pubKey,
          signVote: () => Promise.reject(new Error('locked')),
          signProposal: () => Promise.reject(new Error('locked')),
        },
      }),
    })
    await node.consensus.start()
    await expect.poll(() => node.consensus.roundState().step).toBe(RoundStep.prevote)
    expect(node.consensus.isRunning()).toBe(true)
  })

  it('behavior: stops although the application does not answer', async () => {
    const node = await open({
      stopTimeoutMs: 50,
      app: { processProposal: () => new Promise<never>(() => undefined) },
    })
    await node.consensus.start()
    await expect.poll(() => node.consensus.roundState().proposal).toBeDefined()
    await node.consensus.stop()
    await node.consensus.stop()
  })

  it('behavior: a node whose log was cut to its beginning continues with the next blocks', async () => {
    const first = await open()
    await first.consensus.start()
    await first.committed(3)
    await first.stop()
    const path = join(directory, 'cs.wal', 'wal')
    // Cuts the WAL after its first record, as if the databases had been restored without the WAL.
    writeFileSync(path, readFileSync(path).subarray(0, 26))
    const second = await open()
    const { height } = second.consensus.roundState()
    await second.consensus.start()
    await second.committed(height + 2)
  })
})
