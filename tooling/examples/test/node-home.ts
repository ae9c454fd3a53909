import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, type NodeProcess, startNodeProcess } from '@org/golden'

const root = new URL('../../../', import.meta.url).pathname
const halley = join(root, 'apps/node/bin/halley')

/**
 * An application in its own process, and a node that uses this application. The caller can start and stop each of the
 * two.
 */
export interface AppAndNode extends AsyncDisposable {
  readonly startApp: () => void
  readonly stopApp: () => Promise<void>
  readonly startNode: () => Promise<void>
  readonly stopNode: () => Promise<void>
  /** Calls the RPC of the node with this path and query. Resolves with the member `result` of the answer. */
  readonly get: (path: string) => Promise<Record<string, never>>
}

/**
 * Makes the home of a node, and returns functions that start and stop the node and its application. `commandOf`
 * receives the address of the application, and returns the arguments with which Node.js starts the application.
 */
export async function appAndNode(commandOf: (address: string) => readonly string[], cwd = root): Promise<AppAndNode> {
  const directory = await mkdtemp(join(tmpdir(), 'halley-example-'))
  const [appPort, rpcPort, p2pPort] = [await freePort(), await freePort(), await freePort()]
  const address = `tcp://127.0.0.1:${appPort}`
  const home = join(directory, 'home')
  execFileSync(halley, ['init', '--home', home])
  let app: ChildProcess | undefined
  let node: NodeProcess | undefined

  async function stopApp(): Promise<void> {
    if (app === undefined) return
    const ended = once(app, 'exit')
    if (app.exitCode === null && app.signalCode === null) {
      app.kill('SIGTERM')
      await ended
    }
    app = undefined
  }

  async function stopNode(): Promise<void> {
    await node?.stop()
    node = undefined
  }

  return {
    startApp: () => {
      app = spawn(process.execPath, ['--no-warnings', ...commandOf(address)], { cwd, stdio: 'inherit' })
    },
    stopApp,
    startNode: async () => {
      node = startNodeProcess({
        binary: halley,
        args: [
          ...['start', '--home', home, `--proxy_app=${address}`, '--consensus.timeout_commit=50ms'],
          ...[`--rpc.laddr=tcp://127.0.0.1:${rpcPort}`, `--p2p.laddr=tcp://127.0.0.1:${p2pPort}`],
        ],
        home,
        rpcPort,
        logFile: join(directory, 'log'),
      })
      await node.ready()
    },
    stopNode,
    get: async (path) => {
      const answer = (await (await fetch(`http://127.0.0.1:${rpcPort}/${path}`)).json()) as {
        result: Record<string, never>
      }
      return answer.result
    },
    [Symbol.asyncDispose]: async () => {
      await stopNode()
      await stopApp()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
