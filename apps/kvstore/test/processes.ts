import { fileURLToPath } from 'node:url'
import { launch } from '@org/golden'

/** Starts Halley's `kvstore` command on a free port (or at `address`). Resolves with the process and its address. */
export async function startKvStore(args: readonly string[], address = 'tcp://127.0.0.1:0') {
  const running = launch(fileURLToPath(new URL('../bin/kvstore', import.meta.url)), ['--address', address, ...args])
  const line = await running.saw(/^kvstore: /)
  return { ...running, address: / on (\S+) \(/.exec(line)?.[1] ?? '' }
}
