import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { findProgram, freePort, type NodeProcess, setTomlKeys, startNodeProcess } from '@org/golden'

/** A kind of node that is measured: Halley, another clone of Halley, or the reference. */
export interface Subject {
  readonly name: string
  readonly binary: string
  /**
   * Returns the command that starts the kvstore of this kind of node as a separate process. The kvstore listens on
   * `address`.
   */
  readonly application: (address: string) => { readonly binary: string; readonly args: readonly string[] }
}

/** A running node with a home of its own. */
export interface RunningNode {
  readonly process: NodeProcess
  readonly rpcPort: number
  readonly home: string
  readonly pid: number
  readonly stop: () => Promise<void>
}

export interface NodeSetup {
  readonly home: string
  readonly rpcPort: number
  readonly p2pPort: number
  /** Flags for the command `start`, in addition to the flags that every measured node has. */
  readonly flags?: readonly string[]
}

const root = new URL('../../../', import.meta.url).pathname

function halleyIn(folder: string, name: string): Subject {
  return {
    name,
    binary: join(folder, 'apps/node/bin/halley'),
    application: (address) => ({ binary: join(folder, 'apps/kvstore/bin/kvstore'), args: ['--address', address] }),
  }
}

/**
 * Returns two kinds of node: Halley from this clone of the repository, and Halley from the clone in `folder`. The
 * packages of the clone in `folder` must be installed.
 */
export const besideClone = (folder: string): readonly [Subject, Subject] => [
  halleyIn(root, 'halley'),
  halleyIn(resolve(folder), 'the other halley'),
]

/** Returns Halley, and also the reference if it is installed. */
export function findSubjects(): readonly [Subject, ...Subject[]] {
  const halley = halleyIn(root, 'halley')
  const cometbft = findProgram('cometbft')
  const abciCli = findProgram('abci-cli')
  if (cometbft === undefined || abciCli === undefined) return [halley]
  const reference: Subject = {
    name: 'cometbft',
    binary: cometbft,
    application: (address) => ({ binary: abciCli, args: ['kvstore', '--address', address, '--log_level', 'error'] }),
  }
  return [halley, reference]
}

/**
 * The common configuration of all measured nodes: no wait after a commit, no exchange of peer addresses, and only
 * errors in the log.
 */
export const QUIET_CONFIG: Readonly<Record<string, string>> = {
  log_level: '"error"',
  'consensus.timeout_commit': '"0s"',
  'p2p.pex': 'false',
  'p2p.allow_duplicate_ip': 'true',
  'rpc.max_open_connections': '2000',
  'instrumentation.prometheus': 'false',
}

/** Makes a home with the command `init` of the measured node, as an operator would. */
export async function makeHome(
  subject: Subject,
  home: string,
  config: Readonly<Record<string, string>> = {},
): Promise<NodeSetup> {
  await mkdir(home, { recursive: true })
  await promisify(execFile)(subject.binary, ['init', '--home', home])
  const [rpcPort, p2pPort] = [await freePort(), await freePort()]
  const file = join(home, 'config/config.toml')
  const ports = { 'rpc.laddr': `"tcp://127.0.0.1:${rpcPort}"`, 'p2p.laddr': `"tcp://127.0.0.1:${p2pPort}"` }
  await writeFile(file, setTomlKeys(await readFile(file, 'utf8'), { ...QUIET_CONFIG, ...ports, ...config }))
  return { home, rpcPort, p2pPort }
}

/** Starts a node, and waits until its RPC answers. */
export async function startNode(subject: Subject, setup: NodeSetup, proxyApp = 'kvstore'): Promise<RunningNode> {
  const node = spawnNode(subject, setup, proxyApp)
  await node.process.ready()
  return node
}

/** Starts a node, and does not wait for its RPC. */
export function spawnNode(subject: Subject, setup: NodeSetup, proxyApp: string): RunningNode {
  const args = ['start', '--home', setup.home, `--proxy_app=${proxyApp}`, ...(setup.flags ?? [])]
  const node = startNodeProcess({
    binary: subject.binary,
    args,
    home: setup.home,
    rpcPort: setup.rpcPort,
    logFile: `${setup.home}.log`,
  })
  return {
    process: node,
    rpcPort: setup.rpcPort,
    home: setup.home,
    pid: node.process.pid as number,
    stop: async () => void (await node.stop()),
  }
}
