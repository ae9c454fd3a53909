import { cp, link, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { launch, type Running } from '@org/golden'
import { call } from '../rpc.ts'
import { makeHome, type NodeSetup, type RunningNode, type Subject, startNode } from '../subject.ts'
import { configure, FAST_LINKS, peerAddress } from '../workloads/network-homes.ts'
import type { DelayProxy, DelayProxyReady } from './delay-proxy.ts'

const KVSTORE = new URL('../../../../apps/kvstore/bin/kvstore', import.meta.url).pathname
const PROXY = new URL('./delay-proxy.ts', import.meta.url).pathname
const PEERS = 2

/** The two peers that serve the chain to a joining node. `stop` also ends their application. */
export interface Serving {
  /** The value of `p2p.persistent_peers` in the joining node's configuration: the addresses of the two peers. */
  readonly peers: string
  /** The value of `statesync.rpc_servers` in the joining node's configuration: the RPC addresses of the two peers. */
  readonly rpcServers: string
  readonly trustHash: string
  readonly stop: () => Promise<void>
}

/** Starts a kvstore as a separate process. The state of the kvstore is in `home`. */
export async function startApplication(home: string, address: string, flags: readonly string[] = []): Promise<Running> {
  const app = launch(KVSTORE, ['--address', address, '--home', home, ...flags])
  await app.saw('kvstore: listening on')
  return app
}

/**
 * Makes a home with a copy of the chain. The home has no validator key of the chain, so its node makes no new blocks.
 */
async function peerHome(subject: Subject, home: string, chain: string): Promise<NodeSetup> {
  const setup = await makeHome(subject, home, FAST_LINKS)
  await cp(join(chain, 'config/genesis.json'), join(home, 'config/genesis.json'))
  for (const name of await readdir(join(chain, 'data'))) {
    const to = join(home, 'data', name)
    await rm(to, { recursive: true, force: true })
    await cp(join(chain, 'data', name), to, { recursive: true })
  }
  return setup
}

async function startProxy(input: DelayProxy): Promise<{ readonly ports: readonly number[]; readonly proxy: Running }> {
  const proxy = launch(process.execPath, [PROXY, JSON.stringify(input)])
  return { ports: (JSON.parse(await proxy.saw('{')) as DelayProxyReady).ports, proxy }
}

/**
 * Makes a copy of the application's state in a new folder. The large files never change, so the copy has hard links
 * to them.
 */
async function linkState(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await linkState(source, target)
    else if (/^chunk-|\.ldb$/.test(entry.name)) await link(source, target)
    else await cp(source, target)
  }
}

/**
 * Starts two peers that serve the chain. Both use one application, because they execute no block. With a delay, all
 * connections to the peers pass through proxies.
 */
export async function serveChain(
  subject: Subject,
  directory: string,
  { chain, delayMs }: { readonly chain: string; readonly delayMs: number },
): Promise<Serving> {
  const address = `unix://${join(directory, 'serving.sock')}`
  await linkState(join(chain, 'application'), join(directory, 'application'))
  // The application makes no new snapshot, because the chain does not grow. It serves only the snapshot that belongs
  // to the generated chain.
  const app = await startApplication(join(directory, 'application'), address, ['--snapshot-interval', '1000000'])
  const nodes: RunningNode[] = []
  const proxies: Running[] = []
  const stop = async (): Promise<void> => {
    await Promise.all([...nodes.map((node) => node.stop()), ...proxies.map((proxy) => proxy.stop('SIGKILL'))])
    await app.stop()
  }
  try {
    const peers: string[] = []
    const rpcServers: string[] = []
    for (let i = 0; i < PEERS; i++) {
      const setup = await peerHome(subject, join(directory, `peer-${i}`), chain)
      const node = await startNode(subject, setup, address)
      nodes.push(node)
      let ports: readonly number[] = [setup.p2pPort, node.rpcPort]
      if (delayMs > 0) {
        const started = await startProxy({ delayMs, targets: ports })
        proxies.push(started.proxy)
        ports = started.ports
      }
      const [id] = (await peerAddress(subject, setup)).split('@')
      peers.push(`${id}@127.0.0.1:${ports[0]}`)
      rpcServers.push(`http://127.0.0.1:${ports[1]}`)
    }
    const [first] = nodes as [RunningNode]
    const { block_id: id } = await call<{ readonly block_id: { readonly hash: string } }>(first.rpcPort, 'block', {
      height: '1',
    })
    return { peers: peers.join(','), rpcServers: rpcServers.join(','), trustHash: id.hash, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Configures a home so that its node joins the chain by state sync. */
export async function configureJoiner(
  setup: NodeSetup,
  { peers, rpcServers, trustHash }: Serving,
  metricsPort: number,
): Promise<void> {
  await configure(setup, {
    ...FAST_LINKS,
    // With these levels, the log has the lines that show the beginning and the end of the restore.
    log_level: '"statesync:info,*:error"',
    'p2p.persistent_peers': `"${peers}"`,
    'statesync.enable': 'true',
    'statesync.rpc_servers': `"${rpcServers}"`,
    'statesync.trust_height': '1',
    'statesync.trust_hash': `"${trustHash}"`,
    // The blocks of the generated chain have old times, so the trusting period must be long.
    'statesync.trust_period': '"200000h0m0s"',
    'instrumentation.prometheus': 'true',
    'instrumentation.prometheus_listen_addr': `"127.0.0.1:${metricsPort}"`,
  })
}
