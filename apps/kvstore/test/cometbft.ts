import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, launch, type Running, run, setTomlKeys } from '@org/golden'

/** Makes a home of the Go node with fast blocks and free ports; returns its RPC port. */
export async function initHome(cometbft: string, home: string): Promise<number> {
  await run(cometbft, ['init', '--home', home])
  const [rpcPort, p2pPort] = [await freePort(), await freePort()]
  const file = join(home, 'config/config.toml')
  const config = setTomlKeys(await readFile(file, 'utf8'), {
    'rpc.laddr': `"tcp://127.0.0.1:${rpcPort}"`,
    'rpc.pprof_laddr': '""',
    'p2p.laddr': `"tcp://127.0.0.1:${p2pPort}"`,
    'consensus.timeout_propose': '"500ms"',
    'consensus.timeout_commit': '"20ms"',
  })
  await writeFile(file, config)
  return rpcPort
}

export interface GoNode extends Running {
  /** The result of a JSON-RPC call. */
  readonly call: (method: string, params?: Readonly<Record<string, unknown>>) => Promise<Record<string, never>>
  readonly height: () => Promise<number>
  /** Waits for the RPC of the node, and for one more block. */
  readonly isGoing: () => Promise<void>
}

export interface GoNodeOptions {
  readonly binary: string
  readonly home: string
  readonly rpcPort: number
  readonly args: readonly string[]
}

/** Starts the Go node. Each wait for the node has a time limit. */
export function startGoNode({ binary, home, rpcPort, args }: GoNodeOptions): GoNode {
  const running = launch(binary, ['start', '--home', home, ...args], { cwd: home })

  async function call(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Record<string, never>> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(`http://127.0.0.1:${rpcPort}`, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(20_000),
    })
    const answer = (await response.json()) as { result?: Record<string, never>; error?: unknown }
    if (answer.result === undefined) throw new Error(`${method}: ${JSON.stringify(answer.error)}`)
    return answer.result
  }

  async function height(): Promise<number> {
    const { sync_info } = (await call('status')) as unknown as { sync_info: { latest_block_height: string } }
    return Number(sync_info.latest_block_height)
  }

  async function heightAbove(least: number): Promise<number> {
    for (let tries = 0; tries < 400; tries++) {
      if (running.child.exitCode !== null) throw new Error(`the Go node ended: ${running.output()}`)
      const now = await height().catch(() => -1)
      if (now > least) return now
      await sleep(50)
    }
    throw new Error(`the Go node makes no blocks: ${running.output()}`)
  }

  return {
    ...running,
    call,
    height,
    isGoing: async () => {
      await heightAbove(await heightAbove(0))
    },
  }
}
