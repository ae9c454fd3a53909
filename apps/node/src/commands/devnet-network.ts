import { join } from 'node:path'
import { type PrivateKey, publicKeyOf } from '@org/types/crypto'
import { DEVNET_ALWAYS, DEVNET_PRESET, refuseUnsupported } from '../config/index.ts'
import type { CommandContext } from '../context.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { exists, readJson } from '../home/files.ts'
import { newGenesis, randomName, writeGenesis } from '../home/genesis-file.ts'
import { loadOrMakeNodeKey } from '../home/node-key.ts'
import { type OpenedHome, openHome } from '../home/open-home.ts'
import { resetDevnet } from '../home/reset-devnet.ts'
import { loadOrMakeValidator } from '../home/validator-files.ts'
import type { Node } from '../node/create-node.ts'
import { explorerLine, explorerUrl } from '../node/explorer.ts'
import { lockNode } from '../node/lock-node.ts'
import { rpcAccessText } from '../node/rpc-access-text.ts'
import { type Runnable, serve } from '../node/serve.ts'
import { refuseLateAppState } from './devnet-app-state.ts'
import { type DevnetChoices, withWarnings, writeBlocksOf } from './devnet-choices.ts'
import { createDevnetJoiner } from './devnet-joiner.ts'
import { dropClosedConnectionErrors } from './drop-closed-connection-errors.ts'

const POWER = 10n
const FIRST_RPC_PORT = 26_657
/**
 * The difference between a port of one node and the same port of the next node. It is larger than the difference
 * between any two ports of one node.
 */
const PORT_STEP = 10
/** The configuration keys with an address whose port must differ between the nodes. */
const ADDRESSES = ['rpc.laddr', 'p2p.laddr', 'instrumentation.prometheus_listen_addr'] as const

/**
 * Returns the address for the node with this index: the port is higher by `index` times {@link PORT_STEP}. Port 0, and
 * an address without a port, stay unchanged.
 */
function shifted(address: string, index: number): string {
  return address.replace(/:([1-9]\d*)$/, (_all, port: string) => `:${Number(port) + index * PORT_STEP}`)
}

function openNodeHome(context: CommandContext, index: number): OpenedHome {
  const flags = new Map(context.flags)
  for (const path of ADDRESSES) {
    const given = flags.get(path)
    if (given !== undefined) flags.set(path, shifted(given, index))
  }
  const preset = {
    ...DEVNET_PRESET,
    moniker: `node${index}`,
    'rpc.laddr': `tcp://127.0.0.1:${FIRST_RPC_PORT + index * PORT_STEP}`,
    // All nodes have the address 127.0.0.1, so a node must accept several peers with one IP address.
    'p2p.allow_duplicate_ip': true,
    'p2p.addr_book_strict': false,
  }
  return dropClosedConnectionErrors(
    openHome(
      { ...context, flags, home: join(context.home, `node${index}`) },
      { create: true, forDevnet: true, preset, overFile: DEVNET_ALWAYS },
    ),
  )
}

/**
 * Makes the missing keys of all homes, and writes the same genesis into each home. The first home gets its genesis
 * last. So if the first home has a genesis, all homes are complete.
 */
async function makeNetwork(
  context: CommandContext,
  homes: readonly OpenedHome[],
  appState: string | undefined,
): Promise<void> {
  const keys: PrivateKey[] = []
  for (const { paths } of homes) {
    loadOrMakeNodeKey(paths.nodeKey)
    keys.push((await loadOrMakeValidator(paths)).key)
  }
  const genesis = newGenesis({
    chainId: `test-chain-${randomName(context.random)}`,
    time: context.clock.now(),
    validators: keys.map((key, index) => ({ publicKey: publicKeyOf(key), power: POWER, name: `node${index}` })),
  })
  for (const { paths } of homes.toReversed()) writeGenesis(paths.genesis, genesis, appState)
}

function checkCount(context: CommandContext, genesisFile: string, count: number): void {
  const found = readJson(genesisFile, (json) => (json as { validators: readonly unknown[] }).validators.length)
  if (found === count) return
  throw new CliError(
    CLI_ERRORS.usage,
    `the network in ${context.home} has ${found} validators, not ${count}: start this network with --validators ${found}, or name another folder with --home for a new network`,
    { data: { home: context.home, found, wanted: count } },
  )
}

interface BannerFacts {
  readonly nodes: readonly Node[]
  readonly home: string
  readonly ephemeral: boolean
  readonly openness: string
  readonly explorer: string
}

function banner({ explorer, nodes, home, ephemeral, openness }: BannerFacts): string {
  const urls = nodes.map((node) => node.rpcUrls()[0] ?? '')
  return `
  ${nodes[0]?.chainId()}: a chain with ${nodes.length} validators, each with a key-value store

${urls.map((url, index) => `  node${String(index).padEnd(3)} ${url}`).join('\n')}
${explorer}  docs    ${urls[0]}/docs  (OpenAPI: /openapi.json)
  events  ${urls[0]}/events?query=tm.event='NewBlock'  (or subscribe at /websocket)
  web     ${openness}
  data    ${home}${ephemeral ? ' (removed at the end)' : ''}
  stop    Ctrl-C${ephemeral ? '' : '; the next start continues the chain, and --reset starts a new one'}

  curl '${urls[0]}/net_info'
  curl '${urls[0]}/broadcast_tx_commit?tx="name=satoshi"'
  curl '${urls.at(-1)}/abci_query?data="name"'

`
}

/** Connects every node to every other node. */
async function connectAll(nodes: readonly Node[]): Promise<void> {
  for (const [index, node] of nodes.entries()) {
    await node.connect(nodes.slice(0, index).flatMap((other) => other.peerAddress() ?? []))
  }
}

export interface NetworkChoices extends DevnetChoices {
  readonly count: number
  /** Whether one more node joins by state sync. */
  readonly statesync: boolean
}

/**
 * Runs a network of several validators in this process. Each validator is a complete node with its own home, and the
 * nodes are connected by sockets on loopback.
 */
export async function devnetNetwork(
  context: CommandContext,
  { count, statesync, ephemeral, reset, appState, log }: NetworkChoices,
): Promise<number> {
  const firstGenesis = join(context.home, 'node0', 'config', 'genesis.json')
  if (exists(firstGenesis)) checkCount(context, firstGenesis, count)
  const homes = Array.from({ length: count }, (_, index) => openNodeHome(context, index))
  const joining = statesync ? openNodeHome(context, count) : undefined
  const all = joining === undefined ? homes : [...homes, joining]
  for (const { config } of all) refuseUnsupported(config)
  if (reset) await resetDevnet(all)
  refuseLateAppState(firstGenesis, appState)
  if (!exists(firstGenesis)) await makeNetwork(context, homes, appState)
  const { createNode } = await import('../node/create-node.ts')
  const nodes = homes.map((opened, index) => {
    // Only the first node prints warnings about the application. The nodes start one after the other. If the
    // application does not answer, the first node waits for it, and the other nodes have not started yet.
    const home = index === 0 ? withWarnings(opened, context) : opened
    const locking = lockNode(home)
    return createNode(home, { ...context, locking })
  })
  const [{ logger, config }] = homes as [OpenedHome]
  const joiner = joining && createDevnetJoiner(joining, { genesis: firstGenesis, validators: nodes, context })
  const openness = rpcAccessText(config.rpc)
  const stop = async (): Promise<void> => {
    await joiner?.stop()
    await Promise.all(nodes.map((node) => node.stop()))
  }
  const start = async (signal: AbortSignal): Promise<void> => {
    // The nodes start one after the other. The start of the network fails with the first error of a node, and all nodes
    // that run are then stopped.
    for (const node of nodes) await node.start(signal)
    await connectAll(nodes)
    const url = nodes[0]?.rpcUrls()[0] ?? ''
    const explorer = explorerLine(url, config).replace('page  ', 'page   ')
    context.out(banner({ nodes, home: context.home, ephemeral, openness, explorer }))
    context.openPage(explorerUrl(url, config))
    if (log && nodes[0] !== undefined) await writeBlocksOf(nodes[0], context)
    await joiner?.start(signal)
  }
  const onEnd: Runnable['onEnd'] = (listener, signal) => {
    for (const node of nodes) node.onEnd(listener, signal)
    joiner?.onEnd(listener, signal)
  }
  try {
    return await serve({ start, stop, onEnd }, { ...context, logger })
  } finally {
    for (const home of all) home.flush()
  }
}
