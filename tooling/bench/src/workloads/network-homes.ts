import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, setTomlKeys } from '@org/golden'
import { type NodeSetup, QUIET_CONFIG, type RunningNode, type Subject, startNode } from '../subject.ts'

const run = promisify(execFile)

/** Raises the limits of 5 MB/s, so that the nodes are measured instead of the limits. */
export const FAST_LINKS: Readonly<Record<string, string>> = {
  'p2p.send_rate': '1000000000',
  'p2p.recv_rate': '1000000000',
}

/** The address of a node's peer port, in the form of other nodes' configuration. */
export async function peerAddress(subject: Subject, { home, p2pPort }: NodeSetup): Promise<string> {
  const { stdout } = await run(subject.binary, ['show-node-id', '--home', home])
  return `${stdout.trim()}@127.0.0.1:${p2pPort}`
}

/** Sets keys of a home's config.toml to raw TOML values. */
export async function configure({ home }: NodeSetup, keys: Readonly<Record<string, string>>): Promise<void> {
  const file = join(home, 'config/config.toml')
  await writeFile(file, setTomlKeys(await readFile(file, 'utf8'), keys))
}

/** Homes of validators that have each other's addresses, made by the subject's own `testnet`. */
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

/** Runs `work` with all nodes running, and stops them afterwards in any case. */
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
