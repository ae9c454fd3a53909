import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, setTomlKeys, startNodeProcess } from '@org/golden'

const HALLEY = new URL('../../../apps/node/bin/halley', import.meta.url).pathname

/**
 * Returns the command that starts the reference: the value of `COMETBFT_BIN`, or `cometbft`. Returns `undefined` if
 * this command does not work.
 */
export function findCometbft(): string | undefined {
  const wanted = process.env.COMETBFT_BIN ?? 'cometbft'
  try {
    execFileSync(wanted, ['version'], { stdio: 'pipe' })
    return wanted
  } catch {
    return undefined
  }
}

export const NODES: Readonly<Record<string, string | undefined>> = { halley: HALLEY, cometbft: findCometbft() }

export interface ClientNode {
  readonly port: number
  readonly stop: () => Promise<void>
}

/**
 * Starts a node that makes a block every 100 ms. Its application is the kvstore. Resolves when the node has made the
 * first block.
 */
export async function startClientNode(binary: string): Promise<ClientNode> {
  const directory = await mkdtemp(join(tmpdir(), 'halley-clients-'))
  const home = join(directory, 'home')
  execFileSync(binary, ['init', '--home', home], { stdio: 'pipe' })
  const port = await freePort()
  const file = join(home, 'config/config.toml')
  const keys = {
    'rpc.laddr': `"tcp://127.0.0.1:${port}"`,
    'p2p.laddr': `"tcp://127.0.0.1:${await freePort()}"`,
    'consensus.timeout_commit': '"100ms"',
  }
  await writeFile(file, setTomlKeys(await readFile(file, 'utf8'), keys))
  const args = ['start', '--home', home, '--proxy_app=kvstore']
  const node = startNodeProcess({ binary, args, home, rpcPort: port, logFile: join(directory, 'log') })
  await node.ready()
  // Before the first block, the answer to `status` has empty hashes. The clients refuse empty hashes, both from
  // Halley and from the Go node.
  await fetch(`http://127.0.0.1:${port}/broadcast_tx_commit?tx="first=1"`)
  return {
    port,
    stop: async () => {
      await node.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
