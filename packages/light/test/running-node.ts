import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findProgram, freePort, makeTemporaryFolder, startNodeProcess, unpackHome } from '@org/golden'

/** The path of `cometbft`, or `undefined` if it is not installed. */
export const reference = findProgram('cometbft', 'the light client against a Go node')

export const halley = fileURLToPath(new URL('../../../apps/node/bin/halley', import.meta.url))

/** Waits until consensus runs. Before that, the node makes no blocks. */
async function untilConsensus(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/status`).then((response) => response.text())
    if (answer.includes('"catching_up":false')) return
    await sleep(50)
  }
}

export interface RunningNode extends AsyncDisposable {
  readonly url: string
}

/** Starts a node with one validator that continues a recorded chain of 75 blocks. */
export async function startNode(binary: string): Promise<RunningNode> {
  const folder = await makeTemporaryFolder('halley-light-node-')
  await unpackHome('kvstore-single/home.tar.gz', folder.path)
  const [port, p2pPort] = [await freePort(), await freePort()]
  const node = startNodeProcess({
    binary,
    args: [
      ...['start', '--home', '.', '--proxy_app', 'kvstore'],
      ...['--rpc.laddr', `tcp://127.0.0.1:${port}`, '--p2p.laddr', `tcp://127.0.0.1:${p2pPort}`],
    ],
    home: folder.path,
    rpcPort: port,
    logFile: join(folder.path, 'node.log'),
  })
  await node.ready()
  await untilConsensus(port)
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      await node.stop()
      await folder[Symbol.asyncDispose]()
    },
  }
}
