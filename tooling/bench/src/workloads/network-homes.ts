import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, setTomlKeys } from '@org/golden'
import { type NodeSetup, QUIET_CONFIG, type RunningNode, type Subject, startNode } from '../subject.ts'

const run = promisify(execFile)

/**
 * Raises the rate limits of each connection from 5 MB/s to 1 GB/s, so that a measurement shows the speed of the nodes
 * and not the limits.
 */
export const FAST_LINKS: Readonly<Record<string, string>> = {
  'p2p.send_rate': '1000000000',
  'p2p.recv_rate': '1000000000',
}

/** Returns the P2P address of a node in the form `id@host:port`, as other nodes have it in their configuration. */
export async function peerAddress(subject: Subject, { home, p2pPort }: NodeSetup): Promise<string> {
  const { stdout } = await run(subject.binary, ['show-node-id', '--home', home])
  return `${stdout.trim()}@127.0.0.1:${p2pPort}`
}

/** Sets keys of a home's config.toml to raw TOML values. */
export async function configure({ home }: NodeSetup, keys: Readonly<Record<string, string>>): Promise<void> {
  const file = join(home, 'config/config.toml')
  await writeFile(file, setTomlKeys(await readFile(file, 'utf8'), keys))
}

/**
 * Makes the homes of validators with the command `testnet` of the measured node. Each validator has the addresses of
 * all others.
 */
export async function makeTestnet(
  subject: Subject,
  directory: string,
  { validators, config }: { readonly validators: number; readonly config: Readonly<Record<string, string>> },
): Promise<readonly NodeSetup[]> {
  await run(subject.binary, [
    'testnet',
    '--v',
    String(validators),
    '--o',
    directory,
    '--populate-persistent-peers=false',
  ])
  const setups: NodeSetup[] = []
  for (let i = 0; i < validators; i++) {
    setups.push({ home: join(directory, `node${i}`), rpcPort: await freePort(), p2pPort: await freePort() })
  }
  const addresses = await Promise.all(setups.map((setup) => peerAddress(subject, setup)))
  for (const [index, setup] of setups.entries()) {
    await configure(setup, {
      ...QUIET_CONFIG,
      'rpc.laddr': `"tcp://127.0.0.1:${setup.rpcPort}"`,
      'p2p.laddr': `"tcp://127.0.0.1:${setup.p2pPort}"`,
      'p2p.persistent_peers': `"${addresses.filter((_, other) => other !== index).join(',')}"`,
      ...config,
    })
  }
  return setups
}

/** Starts the nodes, runs `work`, and stops all nodes at the end, also if `work` fails. */
export async function withNodes<T>(
  subject: Subject,
  setups: readonly NodeSetup[],
  work: (nodes: readonly RunningNode[]) => Promise<T>,
): Promise<T> {
  const nodes = await Promise.all(setups.map((setup) => startNode(subject, setup)))
  try {
    return await work(nodes)
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
  }
}
