import type { MethodName } from '@org/abci'
import type { Engine, SignatureChecker } from '@org/engine'
import { isProposer, type RoundState } from '@org/engine/consensus'
import { BLOCKSYNC_CHANNEL, CHANNELS } from '@org/engine/protocols'
import { queryForEvent } from '@org/engine/query'
import { INDEX_ERRORS } from '@org/engine/storage'
import { isCodedError } from '@org/runtime'
import { CheckTxType, type RequestCheckTx, type ResponseCommit, ResponseFinalizeBlock } from '@org/types/abci'
import { hashTx } from '@org/types/block'
import { Message as BlockSyncMessage } from '@org/types/blocksync'
import { bytesToHex, equalBytes, utf8ToBytes } from '@org/types/bytes'
import { Message } from '@org/types/consensus'
import { addressOf, publicKeyOf } from '@org/types/crypto'
import { type Evidence, evidenceHeight, hashEvidenceItem } from '@org/types/evidence'
import type { GenesisDoc } from '@org/types/genesis'
import { proposerOf } from '@org/types/validators'
import { SignedMsgType, type Vote } from '@org/types/vote'
import type { Behaviour } from '../byzantine/index.ts'
import type { SimNode } from '../node/index.ts'
import type { Meeting, Parcel } from '../peers/index.ts'
import type { Trace } from '../world/index.ts'
import { createBadBlockRules } from './bad-blocks.ts'
import { createBlockRules, type Verify } from './block-rules.ts'
import { type ChainRecord, createChainRecord } from './chain-record.ts'
import { createDoubleSigns } from './double-signs.ts'
import { type AppCall, createExtensionRules } from './extensions.ts'
import { createHeldRules } from './held.ts'
import { isRightToStayAway, joiningFault } from './join-check.ts'
import { createKnownValidators } from './known-validators.ts'
import { createMeetingRules } from './meeting-rules.ts'
import { createRetainHeights } from './retain-heights.ts'
import { prevoteFault, proposerFault } from './rounds.ts'
import { createSnapshotRules } from './sent-snapshots.ts'
import { blockOfVote, createSentVotes, voteTimeFault } from './sent-votes.ts'
import { createSignStateRule, type Signed } from './sign-state-rule.ts'
import { createSigningRules } from './signing.ts'
import { createSpendRules, type SpendRules } from './spend.ts'
import { heightFault, openStores, storedHeights } from './stored.ts'
import { storedFault } from './stored-chain.ts'

/** A violated invariant. */
export interface Violation {
  readonly rule: string
  readonly detail: string
  readonly atMs: number
}

/** Watches a network, and records violated invariants. */
export interface Monitor {
  readonly record: ChainRecord
  readonly violations: () => readonly Violation[]
  readonly violate: (rule: string, detail: string) => void
  /** A client gave the transaction to a node. */
  readonly submitted: (tx: string) => void
  /** From now on the node is not trusted, and its transactions do not count. */
  readonly distrust: (name: string, behaviours?: readonly Behaviour[]) => void
  /** To be called at short intervals: checks what peers make the node hold. */
  readonly looked: (by: SimNode) => void
  readonly sent: (from: string, to: string, parcel: Parcel) => void
  /** The application of a node has answered. */
  readonly answered: (node: string, method: MethodName, call: AppCall) => void
  /** A message arrives at a node, which has not handled it. */
  readonly received: (by: SimNode, from: string, parcel: Parcel) => void
  /** The node verified a signature. */
  readonly verified: SpendRules['verified']
  readonly rejected: (by: string, from: string, reason: string) => void
  /** An event of a peer at a node. */
  readonly meeting: (by: SimNode, meeting: Meeting) => void
  /** Counts rare actions, by name. */
  readonly counts: () => Readonly<Record<string, number>>
  /** After an injected fault a node may halt; without one it must not. */
  readonly expectHalt: (name: string, more: 1 | -1) => void
  readonly halted: (node: SimNode, error: Error) => void
  readonly started: (node: SimNode, engine: Engine) => void
  /** To be called after a crash, with the disk as it is then. */
  readonly crashed: (node: SimNode) => void
  /** Runs the checks that are possible only at the end, on the nodes that run. */
  readonly conclude: (nodes: readonly SimNode[]) => Promise<void>
}

export interface MonitorModules {
  readonly genesis: GenesisDoc
  readonly now: () => number
  readonly trace: Trace
  /** The nodes, as soon as they are made. */
  readonly nodes: () => readonly SimNode[]
  readonly signatures: Pick<SignatureChecker, 'verify'>
}

/** A sent message, and the checks that were made of it. */
interface SentMessage {
  readonly sum: Message['sum']
  isTaken: boolean
  isTakenAsOwn: boolean
}

/** Evidence that a node has had for fewer heights than this may still wait for its block. */
const EVIDENCE_GRACE = 5

export function createMonitor({ genesis, now, trace, nodes, signatures }: MonitorModules): Monitor {
  const violations: Violation[] = []
  const sentTxs = new Set<string>()
  const distrusted = new Set<string>()
  const sendsBadBlocks = new Set<string>()
  const mayHalt = new Map<string, number>()
  /** The last height whose events a node published. */
  const published = new Map<string, number>()
  /** `chain` is the height of the chain when the first node had the evidence. */
  const evidenceSeen = new Map<string, { readonly height: number; readonly chain: number; readonly by: string }>()
  const addresses = new Map<string, Uint8Array>()
  const named = new Map<string, SimNode>()
  const decoded = new WeakMap<Uint8Array, SentMessage>()

  function violate(rule: string, detail: string): void {
    trace.note('VIOLATION', rule, detail)
    violations.push({ rule, detail, atMs: now() })
  }

  const validatorsAt = createKnownValidators({
    nodes: () => nodes().filter(({ name }) => !distrusted.has(name)),
    initialHeight: genesis.initialHeight,
    onFault: (detail) => violate('stored', detail),
  })
  const verify: Verify = ({ publicKey, message, signature }) => signatures.verify(publicKey, message, signature)
  const blockFault = createBlockRules({ genesis, validatorsAt, verify })
  const record = createChainRecord({
    violate,
    isKnownTx: (tx) => sentTxs.has(tx) || distrusted.size > 0,
    blockFault,
  })
  const rules = createSigningRules({ violate, validatorsAt })
  const extensions = createExtensionRules(violate)
  const doubleSigns = createDoubleSigns({ chainId: genesis.chainId, verify })
  const retained = createRetainHeights()
  const forgottenFault = createSignStateRule()
  const meetings = createMeetingRules({ violate, now })
  const snapshots = createSnapshotRules({ violate, isHonest: (name) => !distrusted.has(name) })
  const spend = createSpendRules({ violate, now })
  const held = createHeldRules(violate)
  const badBlocks = createBadBlockRules({ violate, now })
  let stayedAway = 0
  const { chainId } = genesis
  const sentVoteFault = createSentVotes({ chainId, validatorsAt, verify, isAccepted: extensions.isAccepted })

  function nodeNamed(name: string): SimNode | undefined {
    const known = named.get(name) ?? nodes().find((node) => node.name === name)
    if (known !== undefined) named.set(name, known)
    return known
  }

  /** A node sends the same bytes to each of its peers, so they are decoded once. */
  function decodedOf(bytes: Uint8Array): SentMessage {
    const known = decoded.get(bytes)
    if (known !== undefined) return known
    const message = { sum: Message.decode(bytes).sum, isTaken: false, isTakenAsOwn: false }
    decoded.set(bytes, message)
    return message
  }

  /** False if the vote is not the node's own, or was sent before to another peer. */
  function takeVote(
    from: string,
    vote: Vote,
    { message, own }: { readonly message: SentMessage; readonly own: boolean },
  ): boolean {
    if (own ? message.isTakenAsOwn : message.isTaken) return false
    message.isTaken = true
    message.isTakenAsOwn ||= own
    return rules.vote(from, vote, own)
  }

  function addressOfNode(name: string): Uint8Array | undefined {
    const known = addresses.get(name)
    if (known !== undefined) return known
    const key = nodeNamed(name)?.options.key
    if (key === undefined) return undefined
    const address = addressOf(publicKeyOf(key))
    addresses.set(name, address)
    return address
  }

  function viewOf(name: string): Readonly<RoundState> | undefined {
    return nodeNamed(name)?.engine()?.consensus.roundState()
  }

  function checkSentVote(from: string, vote: Vote, bytes: Uint8Array): void {
    const view = viewOf(from)
    if (view === undefined) return
    const fault = sentVoteFault(vote, bytes, { height: view.height, params: view.chain.consensusParams })
    if (fault !== undefined) violate('votes', `${from} ${fault}`)
  }

  function sent(from: string, to: string, parcel: Parcel): void {
    const { channel, bytes } = parcel
    if (!distrusted.has(from)) {
      meetings.sent(from, to, parcel)
      badBlocks.sent(from, to, parcel)
    }
    snapshots.sent(from, to, parcel)
    if (channel !== CHANNELS.data && channel !== CHANNELS.vote) return
    const message = decodedOf(bytes)
    const { sum } = message
    const honest = !distrusted.has(from)
    const address = addressOfNode(from)
    if (sum?.case === 'vote' && sum.value.vote !== undefined) {
      const { vote } = sum.value
      const own = honest && address !== undefined && equalBytes(vote.validatorAddress, address)
      const isFirst = takeVote(from, vote, { message, own })
      if (honest) checkSentVote(from, vote, bytes)
      if (own) checkRemembered(from, vote)
      if (own && isFirst) checkOwnVote(from, vote)
    } else if (sum?.case === 'proposal') {
      const { proposal } = sum.value
      // A node signs only its own proposals, and is the only one that signs for a round in which it proposes.
      const view = viewOf(from)
      const own = honest && view?.height === proposal.height && view.round === proposal.round && isProposer(view)
      rules.proposal(from, proposal, own ? address : undefined)
      if (own) checkRemembered(from, { height: proposal.height, round: proposal.round })
    }
  }

  function checkOwnVote(from: string, vote: Vote): void {
    const view = viewOf(from)
    const block = view && blockOfVote(vote, view)
    if (block === undefined) return
    const early = voteTimeFault(vote, block)
    if (early !== undefined) violate('time', `the vote of ${from} at ${vote.height}/${vote.round} ${early}`)
    const fault = vote.type === SignedMsgType.prevote ? prevoteFault(block, record, blockFault) : undefined
    if (fault !== undefined) violate('validity', `${from} prevotes at ${vote.height}/${vote.round}: ${fault}`)
  }

  /** A block with its commit also shows the signatures for it. */
  function checkRemembered(from: string, signed: Signed): void {
    const node = nodeNamed(from)
    if (node === undefined || signed.height <= (node.engine()?.blockStore.height() ?? 0)) return
    const fault = forgottenFault(node, signed)
    if (fault !== undefined) violate('signer', `${from} ${fault}`)
  }

  async function checkIndex(node: string, engine: Engine, height: number): Promise<void> {
    if (record.at(height) !== undefined && !engine.index.hasBlock(height)) {
      violate('index', `${node} does not find block ${height}`)
    }
    for (const [place, tx] of (record.at(height)?.txs ?? []).entries()) {
      const found = await engine.index.tx(hashTx(utf8ToBytes(tx))).catch((error: Error) => error)
      // A bad disk stops the node; before that it reports the error.
      if (isCodedError(found, INDEX_ERRORS.unwritten) && (mayHalt.get(node) ?? 0) > 0) return
      if (found instanceof Error) {
        violate('index', `${node} cannot read ${tx}: ${found.message}`)
        continue
      }
      if (found?.height === height && found.index === place) continue
      if (record.heightOfTx(tx) !== height) continue
      violate('index', `${node} does not find ${tx} of block ${height}`)
    }
  }

  /** Checks what is on the disk: a running node may still have data in memory that the disk lost. */
  function checkStored(node: SimNode, from: number): void {
    const stores = openStores(node)
    if (stores === undefined) return
    const { blockStore } = stores
    // Below the base, only what evidence needs is kept.
    for (let height = Math.max(from, blockStore.base(), 1); height <= blockStore.height(); height++) {
      const fault = storedFault(stores, height, { chainId, verify })
      if (fault !== undefined) violate('stored', `${node.name}, of height ${height}: ${fault}`)
    }
  }

  function started(node: SimNode, engine: Engine): void {
    const { name } = node
    if (distrusted.has(name)) return
    meetings.restarted(name)
    badBlocks.restarted(name)
    const at = engine.initialState.lastBlockHeight
    const before = published.get(name) ?? 0
    if (at < before) violate('lost', `${name} had committed ${before}, and starts at ${at}`)
    const known = record.at(at)
    if (known !== undefined && bytesToHex(engine.initialState.appHash) !== known.appHash) {
      violate('agreement', `${name} starts at ${at} with another application hash`)
    }
    for (let height = Math.max(genesis.initialHeight, at - 3); height <= at; height++) {
      void checkIndex(name, engine, height)
    }
    checkStored(node, at - 3)
    // A node that crashes between saving a block and publishing it never publishes it.
    for (let height = Math.max(genesis.initialHeight, record.height() + 1); height <= at; height++) {
      const block = engine.blockStore.loadBlock(height)
      // An empty answer has no bytes.
      const answer = engine.stateStore.loadFinalizeBlockBytes(height)
      if (block === undefined || answer === undefined) continue
      record.take(name, block, ResponseFinalizeBlock.decode(answer))
      doubleSigns.block(block)
    }
    let last = at
    let hasJoined = false
    engine.events.subscribe({
      subscriber: 'monitor',
      query: queryForEvent('NewBlock'),
      onItem: ({ data: event }) => {
        if (event.type !== 'NewBlock') return
        const { block, resultFinalizeBlock } = event
        const { height } = block.header
        trace.note(name, 'commits', height, bytesToHex(resultFinalizeBlock.appHash))
        if (last !== 0 && height !== last + 1) violate('heights', `${name} commits ${height} after ${last}`)
        last = height
        published.set(name, height)
        record.take(name, block, resultFinalizeBlock)
        doubleSigns.block(block)
        doubleSigns.committed(name, height)
        badBlocks.applied(name, height)
        void checkIndex(name, engine, height)
        const base = engine.blockStore.base()
        if (record.at(base) !== undefined && !engine.index.hasBlock(base))
          violate('index', `${name} does not find block ${base}, the first that it keeps`)
      },
    })
    engine.events.subscribe({
      subscriber: 'monitor',
      query: queryForEvent('CompleteProposal'),
      onItem: () => spendOnBlock(name, engine),
    })
    engine.events.subscribe({
      subscriber: 'monitor',
      query: queryForEvent('NewRound'),
      onItem: ({ data: event }) => {
        if (event.type !== 'NewRound') return
        if (!hasJoined) checkJoining(node, engine, event.height)
        hasJoined = true
        const validators = validatorsAt(event.height)
        const fault = validators && proposerFault(event, event.proposer.address, validators)
        if (fault !== undefined) violate('proposer', `${name} says that ${fault}`)
      },
    })
    engine.evidencePool.onEvidence((evidence: Evidence) => {
      const hash = bytesToHex(hashEvidenceItem(evidence))
      // A node that is behind gets evidence late.
      const chain = record.height()
      if (!evidenceSeen.has(hash)) evidenceSeen.set(hash, { height: evidenceHeight(evidence), chain, by: name })
    })
  }

  /** A transaction that is checked again after a block does not cost its sender a second time. */
  function spendOnTx(node: string, { type, tx }: Partial<RequestCheckTx>): void {
    if (type === CheckTxType.new && tx !== undefined) spend.checked(node, tx)
  }

  /** The hostile validator that proposed a block pays for its items. */
  function spendOnBlock(node: string, engine: Engine): void {
    if (distrusted.size === 0) return
    const { proposalBlock, validators } = engine.consensus.roundState()
    const proposer = proposerOf(validators)?.address
    if (proposalBlock === undefined || proposer === undefined) return
    for (const from of distrusted) {
      const address = addressOfNode(from)
      if (address === undefined || !equalBytes(address, proposer)) continue
      spend.decoded(node, from, proposalBlock.block.data.txs.length)
    }
  }

  /** Counts a block of a hostile peer that block sync receives. */
  function receivedBlock(by: string, from: string, bytes: Uint8Array): void {
    const { sum } = BlockSyncMessage.decode(bytes)
    const height = sum?.case === 'blockResponse' ? sum.value.block?.header.height : undefined
    if (height !== undefined) badBlocks.received(by, from, height)
  }

  function checkJoining(node: SimNode, engine: Engine, height: number): void {
    const fault = joiningFault(node, engine, height)
    if (fault !== undefined) violate('signer', `${node.name} ${fault}`)
  }

  /** Searches find nothing of pruned blocks. The pruning of the last blocks may be unfinished. */
  async function checkPruned({ name, options }: SimNode, engine: Engine): Promise<void> {
    const base = engine.blockStore.base()
    for (let height = genesis.initialHeight; height < base - options.pruneIndexEvery; height++) {
      const [tx] = record.at(height)?.txs ?? []
      const found = tx === undefined ? undefined : await engine.index.tx(hashTx(utf8ToBytes(tx)))
      if (engine.index.hasBlock(height) || found !== undefined)
        violate('index', `${name} keeps entries of block ${height}, and blocks from ${base} on`)
    }
  }

  async function conclude(all: readonly SimNode[]): Promise<void> {
    for (const node of all) {
      const engine = node.engine()
      if (engine === undefined || distrusted.has(node.name) || node.status() !== 'running') continue
      const prunes = node.options.pruneIndexEvery > 0
      const first = prunes ? engine.blockStore.base() : 1
      for (let height = first; height <= (published.get(node.name) ?? 0); height++) {
        await checkIndex(node.name, engine, height)
      }
      if (prunes) await checkPruned(node, engine)
      const kept = retained.fault(node.name, engine.blockStore.base())
      if (kept !== undefined) violate('stored', `${node.name} ${kept}`)
      checkStored(node, 1)
    }
    for (const what of doubleSigns.unpunished(record.height(), EVIDENCE_GRACE)) {
      violate(
        'evidence',
        `${what} was signed twice before honest nodes, and at ${record.height()} no block has proof of it`,
      )
    }
    for (const [hash, { height, chain, by }] of evidenceSeen) {
      if (record.heightOfEvidence(hash) !== undefined || record.height() < Math.max(height, chain) + EVIDENCE_GRACE)
        continue
      violate('evidence', `${by} has proof of a double sign at ${height}, and at ${record.height()} no block does`)
    }
  }

  return {
    record,
    violations: () => violations,
    violate,
    submitted: (tx) => void sentTxs.add(tx),
    distrust: (name, behaviours = []) => {
      distrusted.add(name)
      if (behaviours.includes('badBlocks')) sendsBadBlocks.add(name)
    },
    looked: (by) => {
      if (distrusted.has(by.name)) return
      for (const name of distrusted) {
        const from = nodeNamed(name)
        if (from !== undefined) held.look(by, from)
      }
    },
    sent,
    answered: (node, method, call) => {
      // A liar lies only to others: its application gets and gives correct answers. The contents of its own proposals
      // are not checked.
      meetings.answered(node, method, call)
      snapshots.answered(node, method, call)
      if (method === 'checkTx') spendOnTx(node, call.request as Partial<RequestCheckTx>)
      if (method === 'commit') retained.asked(node, (call.answer as Partial<ResponseCommit>).retainHeight ?? 0)
      if (method !== 'prepareProposal' || !distrusted.has(node)) extensions.answered(node, method, call)
    },
    verified: spend.verified,
    received: (by, from, { channel, bytes }) => {
      const engine = by.engine()
      if (distrusted.has(from) && !distrusted.has(by.name)) {
        spend.received(by.name, from, { channel, bytes })
        if (channel === BLOCKSYNC_CHANNEL && sendsBadBlocks.has(from)) receivedBlock(by.name, from, bytes)
      }
      if (distrusted.size === 0 || channel !== CHANNELS.vote || engine === undefined || distrusted.has(by.name)) return
      const { sum } = decodedOf(bytes)
      if (sum?.case === 'vote' && sum.value.vote !== undefined) doubleSigns.received(by.name, engine, sum.value.vote)
    },
    rejected: (by, from, reason) => {
      if (distrusted.has(by) || distrusted.has(from)) return
      violate('peers', `${by} refuses what ${from} says: ${reason}`)
    },
    expectHalt: (name, more) => void mayHalt.set(name, (mayHalt.get(name) ?? 0) + more),
    halted: (node, error) => {
      if (distrusted.has(node.name)) return
      if (isRightToStayAway(node, error)) stayedAway++
      else if (!isCodedError(error))
        violate('halt', `${node.name} stops with an error without a code: ${error.message}`)
      else if ((mayHalt.get(node.name) ?? 0) <= 0) violate('halt', `${node.name} stops: ${error.code} ${error.message}`)
    },
    started,
    crashed: (node) => {
      doubleSigns.ended(node.name)
      if (distrusted.has(node.name)) return
      const heights = storedHeights(node)
      const fault =
        heights &&
        heightFault(heights, {
          initialHeight: genesis.initialHeight,
          appKeepsAll: node.options.appSavesEvery === 1,
        })
      if (fault !== undefined) violate('stored', `${node.name}: ${fault}`)
    },
    meeting: (by, meeting) => {
      if (distrusted.has(by.name)) return
      meetings.seen(by, meeting)
      const from = meeting.peer.nodeInfo.moniker
      if (!distrusted.has(from)) return
      if (meeting.what === 'met') spend.met(by.name, from)
      if (meeting.what === 'parted') badBlocks.parted(by.name, from)
      if (meeting.what === 'judged') spend.learned(by.name, from, meeting.learned ?? 0)
    },
    counts: () => {
      const counted = snapshots.counts()
      const counts = { 'stayed away': stayedAway, 'snapshots sent': counted.snapshots, 'chunks sent': counted.chunks }
      return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
    },
    conclude,
  }
}
