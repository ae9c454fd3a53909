import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Application, createAbciServer } from '@org/abci'
import { unpackHome } from '@org/golden'

interface AppState {
  readonly Height: number
  /** The app hash in base64, as the e2e application of the reference stores it. */
  readonly Hash: string
  readonly Values: Readonly<Record<string, string>>
}

/**
 * Starts an application that takes the place of the e2e application in a recorded scenario. It reports the recorded
 * height and app hash, and answers queries from the recorded state. It has no other methods, because the node commits
 * no block while the recorded requests are sent.
 */
export async function startRecordedApplication(options: {
  readonly recording: string
  readonly address: string
  readonly directory: string
}): Promise<{ readonly stop: () => Promise<void> }> {
  await unpackHome(options.recording, options.directory)
  const state = JSON.parse(await readFile(join(options.directory, 'app_state.json'), 'utf8')) as AppState
  const hash = new Uint8Array(Buffer.from(state.Hash, 'base64'))
  const app: Application = {
    info: () => ({ version: '2.0.0', appVersion: 1n, lastBlockHeight: state.Height, lastBlockAppHash: hash }),
    query: ({ data }) => ({
      height: state.Height,
      key: data,
      value: new TextEncoder().encode(state.Values[new TextDecoder().decode(data)] ?? ''),
    }),
  }
  const server = createAbciServer({ address: options.address, kind: 'socket' }, { app })
  await server.start()
  return { stop: () => server.stop() }
}
