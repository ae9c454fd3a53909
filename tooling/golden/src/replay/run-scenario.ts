import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { recording, recordingJson, recordingLines, unpackHome } from '../recordings.ts'
import { type Comparison, type DeviationRule, type Difference, judge, type VolatileRule } from './compare.ts'
import { type NodeProcess, startNodeProcess } from './node-process.ts'
import { createSender, type Exchange } from './sender.ts'
import { setTomlKeys } from './toml.ts'

interface RunDescription {
  readonly config: Readonly<Record<string, string>>
  readonly home?: string
  readonly replace?: Readonly<Record<string, string>>
  readonly rpc_port?: number
  /**
   * Only for a run with a network: the archives with the homes of the other nodes, each with the RPC port of its node.
   */
  readonly others?: Readonly<Record<string, number>>
}

interface Runs {
  readonly rpc_port: number
  readonly host_header: string | null
  readonly runs: Readonly<Record<string, RunDescription>>
}

export interface ScenarioOptions {
  /** The name of a folder of recordings, such as `kvstore-single`. */
  readonly scenario: string
  readonly run: string
  readonly binary: string
  readonly startArgs: readonly string[]
  /** The program for the other nodes of a network. Default: the program of the tested node. */
  readonly others?: { readonly binary: string; readonly startArgs: readonly string[] }
  /** Makes further checks after all requests are answered, while the nodes still run. `ports` are their RPC ports. */
  readonly afterwards?: (ports: readonly number[]) => Promise<void>
  /** The folder into which the homes are unpacked. No other run may use it at the same time. */
  readonly workDirectory: string
  readonly deviations: readonly DeviationRule[]
  /** Further keys for config.toml. The values are raw TOML. */
  readonly config?: Readonly<Record<string, string>>
  /**
   * The port for raw requests and for requests with their own header `Host`. On it, the node must accept any host name.
   * Default: the RPC port of the recording.
   */
  readonly foreignPort?: number
  /**
   * Further rules. A rule permits that one member of an answer differs from the recording, for example because of
   * `config`. These rules are added to the rules of the recording.
   */
  readonly volatile?: readonly VolatileRule[]
}

export interface Judged {
  readonly id: string
  readonly comparison: Comparison
  readonly differences: readonly Difference[]
}

/**
 * Starts a node on the recorded home of a run, sends all recorded requests in their order, and compares the answers
 * with the recording.
 */
export async function runScenario(options: ScenarioOptions): Promise<readonly Judged[]> {
  const { scenario, run } = options
  const meta = recordingJson<Runs>(`${scenario}/runs.json`)
  const description = meta.runs[run]
  if (description === undefined) throw new Error(`${scenario} has no run ${run}`)
  const recorded = recordingJson<{ rules: VolatileRule[] }>(`${scenario}/volatile.json`).rules
  const volatile = [...recorded, ...(options.volatile ?? [])]
  const home = join(options.workDirectory, `${scenario}-${run}`)
  await rm(home, { recursive: true, force: true })
  await unpackHome(`${scenario}/${description.home ?? 'home.tar.gz'}`, home)
  const configFile = join(home, 'config/config.toml')
  const config = { ...description.config, ...options.config }
  await writeFile(configFile, setTomlKeys(await readFile(configFile, 'utf8'), config))
  for (const [to, from] of Object.entries(description.replace ?? {})) {
    await writeFile(join(home, to), recording(`${scenario}/${from}`))
  }
  const port = description.rpc_port ?? meta.rpc_port
  await mkdir(options.workDirectory, { recursive: true })
  const start = (
    folder: string,
    rpcPort: number,
    { binary, startArgs }: Pick<ScenarioOptions, 'binary' | 'startArgs'>,
  ) =>
    startNodeProcess({
      binary,
      args: ['start', '--home', '.', ...startArgs],
      home: folder,
      rpcPort,
      logFile: `${folder}.log`,
    })
  const nodes: NodeProcess[] = [start(home, port, options)]
  const ports = [port, ...Object.values(description.others ?? {})]
  try {
    for (const [archive, rpcPort] of Object.entries(description.others ?? {})) {
      const other = `${home}-${rpcPort}`
      await rm(other, { recursive: true, force: true })
      await unpackHome(`${scenario}/${archive}`, other)
      nodes.push(start(other, rpcPort, options.others ?? options))
    }
    for (const node of nodes) await node.ready()
    await waitForPeers(port, nodes.length - 1)
    // When the answers were recorded, the node had been idle for some time. So the tested node must be idle for some
    // time too.
    await sleep(2000)
    const judged = await judgeAll([port, meta.host_header ?? `127.0.0.1:${port}`, options.foreignPort], (sender) =>
      recordingLines<Exchange>(`${scenario}/answers.jsonl`)
        .filter((exchange) => exchange.run === run)
        .map((exchange) => async () => {
          const got = await sender.send(exchange)
          return { id: exchange.id, ...judge(exchange, got, { volatile, deviations: options.deviations }) }
        }),
    )
    await options.afterwards?.(ports)
    return judged
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
  }
}

const PEERS_TIMEOUT_MS = 60_000

/** Waits until the node has `count` peers and has finished its sync. Does not wait if `count` is 0. */
async function waitForPeers(port: number, count: number): Promise<void> {
  if (count === 0) return
  const get = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`)
    return ((await answer.json()) as { result: T }).result
  }
  const stop = performance.now() + PEERS_TIMEOUT_MS
  for (;;) {
    const { n_peers: peers } = await get<{ n_peers: string }>('net_info')
    const { sync_info: sync } = await get<{ sync_info: { catching_up: boolean } }>('status')
    if (Number(peers) >= count && !sync.catching_up) return
    if (performance.now() > stop) throw new Error(`the nodes did not become peers: ${peers} of ${count}`)
    await sleep(300)
  }
}

async function judgeAll(
  given: Parameters<typeof createSender>,
  questions: (sender: Pick<ReturnType<typeof createSender>, 'send'>) => (() => Promise<Judged>)[],
): Promise<readonly Judged[]> {
  let sender = createSender(...given)
  const judged: Judged[] = []
  const send = async (exchange: Exchange): Promise<Readonly<Record<string, unknown>>> => {
    try {
      return await sender.send(exchange)
    } catch (error) {
      sender.close()
      sender = createSender(...given)
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }
  try {
    for (const question of questions({ send })) judged.push(await question())
  } finally {
    sender.close()
  }
  return judged
}
