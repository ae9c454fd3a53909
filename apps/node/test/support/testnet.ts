import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, freePort, setTomlKeys } from '@org/golden'
import { onTestFinished } from 'vitest'
import { findCometbft, HALLEY, temporaryFolder } from './process.ts'
import { type Relay, startRelay } from './relay.ts'

/** The implementation that a node runs: the reference (`go`) or Halley. */
export type Kind = 'go' | 'halley'

export interface NetworkNode {
  readonly index: number
  readonly kind: Kind
  readonly home: string
  readonly rpcPort: number
  readonly p2pPort: number
  readonly id: string
  /**
   * Cuts the connections between this node and all other nodes; `heal` restores them. `cut` and `heal` need the option
   * `relayed`.
   */
  readonly cut: () => void
  readonly heal: () => void
  readonly start: (kind?: Kind) => void
  readonly signal: (name: NodeJS.Signals) => void
  /** Sends a signal to the process, and waits until it has ended. */
  readonly stop: (name?: NodeJS.Signals) => Promise<void>
  /** Resolves when the process has ended by itself. */
  readonly ended: () => Promise<void>
  readonly log: () => string
  readonly rpc: <T>(path: string) => Promise<T>
  readonly height: () => Promise<number>
}

export interface NetworkOptions {
  /** The implementation that each node runs. */
  readonly kinds: readonly Kind[]
  /**
   * The number of validators. The first nodes in `kinds` are the validators, and the others are full nodes. Default:
   * all nodes are validators.
   */
  readonly validators?: number
  /** The values of configuration keys, as TOML. */
  readonly config?: Readonly<Record<string, string>>
  /** Changes the genesis document. */
  readonly genesis?: (document: Record<string, unknown>) => void
  /** Whether `halley testnet --statesync` makes the homes. */
  readonly statesync?: boolean
  /** Whether the nodes connect through relays, so that a test can disconnect them. */
  readonly relayed?: boolean
  /** Returns `proxy_app` of a node. Default: the kvstore in the node, with the reference's rules. */
  readonly application?: (index: number) => string
  /** Returns the protocol that a node uses to talk to its application. Default: `socket`. */
  readonly transport?: (index: number) => 'socket' | 'grpc'
}

/** The power of each validator in the genesis. An equivocation reduces the power by 1. */
export const POWER = 10

const NO_PEERS = '--populate-persistent-peers=false'

const CONFIG = {
  'p2p.allow_duplicate_ip': 'true',
  'p2p.addr_book_strict': 'false',
  'p2p.pex': 'false',
  'consensus.timeout_commit': '"50ms"',
  'consensus.timeout_propose': '"1s"',
}

/** True if the reference is not installed. `what` is the name of the tests that are skipped for this reason. */
export function needsCometbft(what: string): boolean {
  return findProgram('cometbft', what) === undefined
}

/**
 * Makes the homes of a network on loopback. At the end of the test, all nodes are stopped and all homes are removed.
 */
export async function createTestnet(options: NetworkOptions): Promise<readonly NetworkNode[]> {
  const { kinds, validators = kinds.length, config = {} } = options
  const folder = temporaryFolder()
  const maker = options.statesync === true ? HALLEY : (findCometbft() ?? HALLEY)
  const args = ['testnet', '--v', String(validators), '--n', String(kinds.length - validators), '--o', folder]
  const more = options.statesync === true ? ['--no-populate-persistent-peers', '--statesync'] : [NO_PEERS]
  execFileSync(maker, [...args, ...more], { stdio: 'pipe' })
  const ports = await Promise.all(kinds.map(async () => [await freePort(), await freePort()] as const))
  const ids = kinds.map((_, i) => {
    const home = join(folder, `node${i}`)
    // The header to trust is added later. Until then, commands refuse a home that has state sync enabled. So
    // `show-node-id` runs with state sync off.
    const off = options.statesync === true ? ['--statesync.enable=false'] : []
    return execFileSync(maker, ['show-node-id', '--home', home, ...off], { encoding: 'utf8' }).trim()
  })
  const links = options.relayed === true ? await makeLinks(ports.map(([, p2p]) => p2p)) : undefined
  return kinds.map((kind, index) => {
    const home = join(folder, `node${index}`)
    const [rpcPort = 0, p2pPort = 0] = ports[index] ?? []
    const portTo = (i: number): number | undefined => links?.get(`${index} ${i}`)?.port ?? ports[i]?.[1]
    const others = ids.flatMap((id, i) => (i === index ? [] : [`${id}@127.0.0.1:${portTo(i)}`]))
    const file = join(home, 'config/config.toml')
    const keys = {
      'rpc.laddr': `"tcp://127.0.0.1:${rpcPort}"`,
      'p2p.laddr': `"tcp://127.0.0.1:${p2pPort}"`,
      abci: `"${options.transport?.(index) ?? 'socket'}"`,
      'p2p.persistent_peers': `"${others.join(',')}"`,
      ...CONFIG,
      ...config,
    }
    writeFileSync(file, setTomlKeys(readFileSync(file, 'utf8'), keys))
    changeGenesis(join(home, 'config/genesis.json'), options.genesis)
    const relays = [...(links ?? [])]
      .filter(([way]) => way.split(' ').includes(String(index)))
      .map(([, relay]) => relay)
    const id = ids[index] ?? ''
    return networkNode(
      { index, kind, home, rpcPort, p2pPort, id },
      { relays, application: options.application?.(index) },
    )
  })
}

function changeGenesis(path: string, change: NetworkOptions['genesis']): void {
  const document = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  for (const validator of document.validators as Record<string, unknown>[]) validator.power = String(POWER)
  change?.(document)
  writeFileSync(path, JSON.stringify(document, null, 2))
}

/**
 * Starts a relay for each direction between two nodes. The key of the map has the indexes of both nodes, such as `0 1`.
 */
async function makeLinks(p2pPorts: readonly number[]): Promise<ReadonlyMap<string, Relay>> {
  const links = new Map<string, Relay>()
  for (const from of p2pPorts.keys()) {
    for (const [to, port] of p2pPorts.entries()) {
      if (from !== to) links.set(`${from} ${to}`, await startRelay(port))
    }
  }
  return links
}

function networkNode(
  facts: Pick<NetworkNode, 'index' | 'kind' | 'home' | 'rpcPort' | 'p2pPort' | 'id'>,
  { relays, application }: { readonly relays: readonly Relay[]; readonly application: string | undefined },
): NetworkNode {
  const { home, rpcPort } = facts
  const logFile = join(home, 'log')
  let child: ChildProcess | undefined
  onTestFinished(() => {
    child?.kill('SIGCONT')
    child?.kill('SIGKILL')
  })

  async function rpc<T>(path: string): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${rpcPort}/${path}`, { signal: AbortSignal.timeout(5000) })
    const { result, error } = (await answer.json()) as { result: T; error?: unknown }
    if (error !== undefined) throw new Error(`${path}: ${JSON.stringify(error)}`)
    return result
  }

  return {
    ...facts,
    cut: () => {
      for (const relay of relays) relay.cut()
    },
    heal: () => {
      for (const relay of relays) relay.heal()
    },
    start: (kind = facts.kind) => {
      const binary = kind === 'go' ? (findCometbft() ?? '') : HALLEY
      const app = application ?? (kind === 'go' ? 'kvstore' : 'kvstore-v0.38')
      const log = openSync(logFile, 'a')
      child = spawn(binary, ['start', '--home', home, '--proxy_app', app], {
        env: { ...process.env, HALLEY_HOME: '', CMTHOME: '' },
        stdio: ['ignore', log, log],
      })
      closeSync(log)
    },
    signal: (name) => void child?.kill(name),
    stop: async (name = 'SIGTERM') => {
      const running = child
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
      const ended = new Promise((resolve) => running.once('exit', resolve))
      running.kill(name)
      await ended
    },
    ended: async () => {
      const running = child
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
      await new Promise((resolve) => running.once('exit', resolve))
    },
    log: () => readFileSync(logFile, 'utf8'),
    rpc,
    height: async () => {
      try {
        const { sync_info } = await rpc<{ sync_info: { latest_block_height: string } }>('status')
        return Number(sync_info.latest_block_height)
      } catch {
        return -1
      }
    },
  }
}

/**
 * Changes the values of keys in a node's config.toml. The new values are TOML. The node uses them from its next start
 * on.
 */
export function configure({ home }: NetworkNode, keys: Readonly<Record<string, string>>): void {
  const file = join(home, 'config/config.toml')
  writeFileSync(file, setTomlKeys(readFileSync(file, 'utf8'), keys))
}

/** Returns the configuration keys with which a node joins by state sync. It trusts the header at height 10. */
export function joinFrom(servers: readonly NetworkNode[], trustHash: string): Readonly<Record<string, string>> {
  return {
    'statesync.enable': 'true',
    'statesync.rpc_servers': `"${servers.map(({ rpcPort }) => `127.0.0.1:${rpcPort}`).join(',')}"`,
    'statesync.trust_height': '10',
    'statesync.trust_hash': `"${trustHash}"`,
    'statesync.discovery_time': '"5s"',
  }
}

/** Stops the nodes, and starts them again with a longer pause after each block. */
export async function slowDown(nodes: readonly NetworkNode[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.stop()))
  for (const node of nodes) {
    configure(node, { 'consensus.timeout_commit': '"300ms"' })
    node.start()
  }
  await reached(1, nodes)
}

/** Resolves when all nodes have this height. Rejects with the ends of their logs after a time limit. */
export async function reached(height: number, nodes: readonly NetworkNode[], timeoutMs = 40_000): Promise<void> {
  const stop = performance.now() + timeoutMs
  for (;;) {
    const heights = await Promise.all(nodes.map((node) => node.height()))
    if (heights.every((at) => at >= height)) return
    if (performance.now() > stop) {
      const ends = nodes.map((node) => `--- ${node.index} ${node.kind}\n${node.log().slice(-1500)}`)
      throw new Error(`heights ${heights.join(', ')}; wanted ${height}\n${ends.join('\n')}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
