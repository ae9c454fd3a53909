import { findProgram, freePort, launch, makeTemporaryFolder, run } from '@org/golden'
import type { Devnet } from './devnet.ts'
import { callsOf } from './devnet.ts'

/** Starts a Go node with one validator and the kvstore. */
export async function startGoNode(): Promise<Devnet> {
  const folder = await makeTemporaryFolder('halley-explorer-go-')
  const program = findProgram('cometbft') as string
  await run(program, ['init', '--home', folder.path])
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const node = launch(program, [
    ...['start', '--home', folder.path, '--proxy_app=kvstore', `--rpc.laddr=tcp://127.0.0.1:${port}`],
    ...['--p2p.laddr=tcp://127.0.0.1:0', '--rpc.pprof_laddr='],
  ])
  await node.saw(/committed state/)
  return {
    url,
    output: node.output,
    ...callsOf(url),
    stop: async () => {
      await node.stop()
      await folder[Symbol.asyncDispose]()
    },
  }
}
