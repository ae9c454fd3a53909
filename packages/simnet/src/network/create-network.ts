import type { MethodName } from '@org/abci'
import { DEFAULT_MACHINE_OPTIONS } from '@org/engine/consensus'
import { type NetAddress, nodeIdOf, type PexOptions } from '@org/p2p'
import { noopLogger } from '@org/runtime'
import type { ResponsePrepareProposal } from '@org/types/abci'
import { bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { type PrivateKey, publicKeyOf } from '@org/types/crypto'
import { encodeGenesis, type GenesisDoc } from '@org/types/genesis'
import { createTallyApp, type TallyOptions } from '../app/index.ts'
import { applyFaults, type Effect, type EffectHook, type FaultRun } from '../faults/index.ts'
import { type AppCall, createMonitor } from '../invariants/index.ts'
import { createSharedSignatures, createSimNode, type SimNode } from '../node/index.ts'
import { createHub } from '../peers/index.ts'
import { createDice, createScheduler, createTrace } from '../world/index.ts'
import { checkNetwork } from './check.ts'
import { concludeNetwork } from './conclude.ts'
import { keyOf, makeGenesis } from './genesis.ts'
import { DEFAULT_NETWORK, type NetworkOptions, SIM_CONSENSUS } from './options.ts'
import type { SimNetwork } from './sim-network.ts'
import { watchSizes } from './watch-sizes.ts'

const START = 1_700_000_000_000_000_000n
/** The reference's value. */
const SEED_DISCONNECT_WAIT_MS = 28 * 3_600_000

/**
 * Creates a network of full nodes on one virtual clock. The same options give the same trace. Throws a `WorldError`
 * for impossible options.
 */
export function createNetwork(given: Partial<NetworkOptions> & Pick<NetworkOptions, 'seed'>): SimNetwork {
  const options: NetworkOptions = { ...DEFAULT_NETWORK, ...given }
  checkNetwork(options)
  const scheduler = createScheduler(options.answerWithinMs)
  const trace = createTrace({ now: scheduler.now, keep: options.keepTrace, onLine: options.onTrace })
  const dice = createDice(options.seed)
  const signatures = createSharedSignatures()
  const chainId = options.genesis.chainId ?? `sim-${options.seed}`
  const total = options.validators + options.fullNodes
  const names = Array.from({ length: total }, (_, i) => `n${i}`)
  const keys = names.map((name) => keyOf(`${chainId}/${name}`))
  const nodeKeys = names.map((name) => keyOf(`${chainId}/peer/${name}`))
  const addresses = nodeKeys.map(
    (key, index): NetAddress => ({
      id: nodeIdOf(publicKeyOf(key)),
      ip: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
      port: 26_656,
    }),
  )
  const effects = new Map(names.map((name): [string, { number: number }] => [name, { number: 0 }]))
  const hooks: EffectHook[] = []
  const flaws = new Map<string, number>()

  const made = makeGenesis({
    chainId,
    genesisTime: START - 1_000_000_000n,
    initialHeight: options.initialHeight,
    extensionsFrom: options.extensionsFrom,
    validators: names
      .slice(0, options.validators)
      .map((name, i) => ({ key: keys[i] as PrivateKey, power: options.powers[i] ?? 10n, name })),
  })
  const genesis: GenesisDoc = { ...made, ...options.genesis }
  const genesisText = encodeGenesis(genesis)
  const monitor = createMonitor({ genesis, now: scheduler.now, trace, nodes: () => nodes, signatures })

  /** Each node dials the nodes after it, so that there is one connection between two. */
  function peersOf(index: number): NetAddress[] {
    const count = Math.min(options.peersPerNode, Math.floor(total / 2))
    const offsets = Array.from({ length: count }, (_, i) => i + 1)
    return offsets
      .filter((offset) => 2 * offset < total || index < total / 2)
      .map((offset) => addresses[(index + offset) % total] as NetAddress)
  }

  function effect(from: string, kind: Effect['kind'], when: 'before' | 'after', nameOf: () => string): void {
    const counted = effects.get(from)
    if (counted !== undefined && when === 'before') counted.number++
    if (hooks.length === 0) return
    const node = byName.get(from)
    if (node === undefined || counted === undefined) return
    const name = nameOf()
    for (const hook of hooks) hook(node, { kind, name, number: counted.number }, when)
  }

  const hub = createHub(options.wire, {
    scheduler,
    dice: dice.fork('wire'),
    trace,
    onSend: (from, to, parcel) => {
      trace.note(from, '>', to, parcel.channel, parcel.bytes.length)
      effect(from, 'send', 'before', () => String(parcel.channel))
      if (byName.get(from)?.life() !== undefined) monitor.sent(from, to, parcel)
    },
    onSent: (from, parcel) => effect(from, 'send', 'after', () => String(parcel.channel)),
    onFlaw: (what) => void flaws.set(what, (flaws.get(what) ?? 0) + 1),
  })
  const tally: TallyOptions = {
    extensions: options.extensionsFrom > 0,
    keepBlocks: options.appKeepsBlocks,
    takesAgain: options.appTakesAgain,
    paramsEvery: options.appChangesParamsEvery,
    snapshotsEvery: options.appSnapshotsEvery,
    makesTxs: options.mempool === 'nop',
  }

  function refusedBy(index: number): string[] {
    return options.appRefuses.flatMap(({ node, peer }) => (node === index ? (addresses[peer]?.id ?? []) : []))
  }

  function pexOf(index: number): PexOptions | undefined {
    const { exchange, redialMs } = options
    if (exchange === undefined) return undefined
    const isSeed = exchange.seeds.includes(index)
    return {
      seedMode: exchange.seedMode && isSeed,
      seeds: exchange.seeds.filter((seed) => seed !== index).map((seed) => addresses[seed] as NetAddress),
      maxOutboundPeers: exchange.maxOutbound,
      persistentPeersMaxDialPeriodMs: redialMs,
      ensurePeersPeriodMs: exchange.everyMs,
      seedDisconnectWaitMs: SEED_DISCONNECT_WAIT_MS,
    }
  }

  const nodes: readonly SimNode[] = names.map((name, index): SimNode => {
    const node: SimNode = createSimNode(
      {
        name,
        address: addresses[index] as NetAddress,
        key: keys[index] as PrivateKey,
        nodeKey: nodeKeys[index] as PrivateKey,
        genesisText,
        start: START,
        consensus: { ...DEFAULT_MACHINE_OPTIONS, ...SIM_CONSENSUS, ...options.consensus },
        peers: options.exchange === undefined ? peersOf(index) : [],
        pex: pexOf(index),
        filterPeers: options.filterPeers,
        doubleSignCheckHeight: options.doubleSignCheckHeight,
        mempool: options.mempool,
        mempoolSize: options.mempoolSize,
        mempoolSeen: options.mempoolSeen,
        pruneIndexEvery: options.pruneIndexEvery,
        discardAbciResponses: options.discardAbciResponses,
        remoteSigner: options.remoteSigners,
        disk: options.disk,
        appIsInProcess: options.appIsInProcess,
        appSavesEvery: options.appSavesEvery,
        appDelayMs: options.appDelayMs,
        walHeadSize: options.walHeadSize,
        redialMs: options.redialMs,
        firstCheckMs: options.firstCheckMs,
      },
      {
        scheduler,
        dice,
        trace,
        hub,
        signatures,
        createApp: (home) => options.app?.(home, name) ?? createTallyApp(home, { ...tally, refuses: refusedBy(index) }),
        onDiskOp: (op, when) => effect(name, 'disk', when, () => `${op.kind} ${op.name}`),
        onAppCall: (method, when) => effect(name, 'app', when, () => method),
        onAppAnswer: (method, call) => answered(name, method, call),
        onReject: (from, reason) => monitor.rejected(name, from, reason),
        onMeeting: (meeting) => monitor.meeting(node, meeting),
        onReceived: (from, parcel) => monitor.received(node, from, parcel),
        onVerified: (signature, holds) => monitor.verified(name, signature, holds),
        onHalt: (error) => monitor.halted(node, error),
        onStarted: (engine) => monitor.started(node, engine),
        wrapSigner: (signer) => signer,
        logger: options.logger?.(name) ?? noopLogger,
      },
    )
    return node
  })
  const byName = new Map(nodes.map((node) => [node.name, node] as const))

  const heightOf = (node: SimNode): number => node.engine()?.blockStore.height() ?? 0
  const running = (): SimNode[] => nodes.filter((node) => node.status() === 'running')

  function submit(node: SimNode, tx: string): void {
    const engine = node.engine()
    if (engine === undefined || node.status() !== 'running') return
    monitor.submitted(tx)
    trace.note('client', '>', node.name, tx)
    engine.mempool.checkTx(utf8ToBytes(tx)).catch(() => undefined)
  }

  function answered(name: string, method: MethodName, call: AppCall): void {
    // A transaction that the application makes counts as submitted, too.
    if (options.mempool === 'nop' && method === 'prepareProposal')
      for (const tx of (call.answer as ResponsePrepareProposal).txs) monitor.submitted(bytesToUtf8(tx))
    monitor.answered(name, method, call)
  }

  function load(count: number): void {
    scheduler.after(options.txEveryMs, () => {
      const to = running()
      if (to.length > 0) submit(dice.pick(to), `tx:${count}`)
      load(count + 1)
    })
  }

  let run: FaultRun | undefined
  let hasStarted = false
  const network: SimNetwork = {
    genesis,
    nodes,
    validators: nodes.slice(0, options.validators),
    scheduler,
    hub,
    trace,
    dice,
    monitor,
    flaws,
    start: () => {
      for (const node of nodes) if (node.status() === 'down') void node.start()
      if (hasStarted) return
      hasStarted = true
      if (options.txEveryMs > 0) load(0)
      if (options.watchEveryMs > 0) watchSizes(network, options.watchEveryMs)
      if (options.faults.length > 0) run = applyFaults(network, options.faults)
    },
    heal: () => run?.heal(),
    heightOf,
    height: () => Math.max(...nodes.map(heightOf)),
    reach: async (height, withinMs) => {
      const isThere = (node: SimNode): boolean =>
        node.engine()?.consensus.roundState().chain.lastBlockHeight === height || heightOf(node) > height
      // Checked before each event: the first running node below the height decides.
      const hasReached = (): boolean =>
        nodes.every((node) => node.status() !== 'running' || isThere(node)) && running().length > 0
      await scheduler.run(hasReached, scheduler.now() + withinMs)
      return hasReached()
    },
    pass: (ms) => scheduler.run(() => false, scheduler.now() + ms),
    conclude: (conclusion = {}) => {
      run?.heal()
      return concludeNetwork(network, { ...conclusion, exchange: options.exchange })
    },
    submit,
    watchEffects: (hook) => void hooks.push(hook),
  }
  return network
}
