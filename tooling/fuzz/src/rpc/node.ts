import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import {
  createSender,
  type Exchange,
  freePort,
  recordingText,
  type Sender,
  setTomlKeys,
  startNodeProcess,
  unpackHome,
} from '@org/golden'

/** The answer to a request. If the connection failed, its only member is `error`. */
export type Answer = Readonly<Record<string, unknown>>

/** A running node to which the fuzzer sends requests. */
export interface TargetNode {
  readonly name: string
  readonly send: (exchange: Exchange) => Promise<Answer>
  /** Empties the mempool and opens new connections, so that earlier requests do not change later answers. */
  readonly reset: () => Promise<void>
  readonly stop: () => Promise<void>
}

export interface NodeOptions {
  readonly name: string
  readonly binary: string
  readonly args: readonly string[]
}

const CONFIG = {
  // The requests that empty the mempool need this setting. The setting also permits requests that make the node dial,
  // but `isAllowed` prevents these requests.
  'rpc.unsafe': 'true',
  'rpc.timeout_broadcast_tx_commit': '"50ms"',
  'p2p.pex': 'false',
  'p2p.allow_duplicate_ip': 'true',
}

/** The header `Host` of all requests. It is the same for all nodes, because some answers repeat it. */
const HOST = 'localhost:26657'

/** A request that empties the mempool. */
const FLUSH: Exchange = {
  id: 'flush',
  run: 'fuzz',
  transport: 'jsonrpc',
  request: {
    method: 'POST',
    path: '/',
    headers: { 'Content-Type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"unsafe_flush_mempool","params":{}}',
  },
  response: {},
}

/** Returns the answer with `PORT` in place of the node's own port numbers. */
function withoutPorts(answer: Answer, ports: readonly number[]): Answer {
  const text = JSON.stringify(answer)
  const same = ports.reduce((rest, port) => rest.replaceAll(`:${port}`, ':PORT'), text)
  return same === text ? answer : (JSON.parse(same) as Answer)
}

/**
 * Starts a node on a copy of the recorded home. The node has no validator key of the chain, so it waits for peers and
 * makes no block. Therefore all nodes that are started in this way have the same chain.
 */
export async function startTargetNode({ name, binary, args }: NodeOptions): Promise<TargetNode> {
  const home = await mkdtemp(join(tmpdir(), 'halley-fuzz-rpc-'))
  await unpackHome('kvstore-single/home.tar.gz', home)
  for (const file of ['config/priv_validator_key.json', 'data/priv_validator_state.json'])
    await writeFile(join(home, file), recordingText(`kvstore-single/halted-${basename(file)}`))
  const ports = [await freePort(), await freePort()] as const
  const [rpcPort, p2pPort] = ports
  const configFile = join(home, 'config/config.toml')
  const listen = { 'rpc.laddr': `"tcp://127.0.0.1:${rpcPort}"`, 'p2p.laddr': `"tcp://127.0.0.1:${p2pPort}"` }
  await writeFile(configFile, setTomlKeys(await readFile(configFile, 'utf8'), { ...CONFIG, ...listen }))
  const node = startNodeProcess({
    binary,
    args: ['start', '--home', '.', ...args],
    home,
    rpcPort,
    logFile: join(home, 'node.log'),
  })
  let sender: Sender = createSender(rpcPort, HOST)

  function renew(): void {
    sender.close()
    sender = createSender(rpcPort, HOST)
  }

  async function send(exchange: Exchange): Promise<Answer> {
    try {
      return withoutPorts(await sender.send(exchange), ports)
    } catch (error) {
      renew()
      return { error: error instanceof Error ? error.constructor.name : String(error) }
    }
  }

  async function stop(): Promise<void> {
    sender.close()
    await node.stop()
    await rm(home, { recursive: true, force: true })
  }

  try {
    await node.ready()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    name,
    send,
    stop,
    reset: async () => {
      renew()
      await send(FLUSH)
    },
  }
}
