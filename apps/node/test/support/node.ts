import { join } from 'node:path'
import { HALLEY, launch, type Running, run } from './process.ts'

export interface RunningNode extends Running {
  /** The URL of the node's RPC. */
  readonly url: string
  /** Calls the RPC. Resolves with the result, and rejects with the text of an error. */
  readonly ask: <T = Record<string, unknown>>(path: string) => Promise<T>
  /** Calls the RPC. Resolves with the body of the answer as text. */
  readonly body: (path: string) => Promise<string>
  /** Resolves when a block of this height is committed. */
  readonly reach: (height: number) => Promise<void>
}

interface Status {
  readonly sync_info: { readonly latest_block_height: string }
}

const LISTENS = /RPC server listens +module=rpc-server address=tcp:\/\/(\S+)/

/** Starts a node on a port that is free, and waits until it is up. */
export function startNode(home: string, ...args: readonly string[]): Promise<RunningNode> {
  return whenStarted(launchNode(home, ...args))
}

/** Starts the process of a node. Does not wait until the node has started. */
export function launchNode(home: string, ...args: readonly string[]): Running {
  return launch(HALLEY, ['start', '--home', home, '--rpc.laddr=tcp://127.0.0.1:0', ...args])
}

/** Resolves when the log shows that the node has started. */
export async function whenStarted(running: Running): Promise<RunningNode> {
  await running.saw('Started node')
  const url = `http://${LISTENS.exec(running.output())?.[1]}`
  const body = async (path: string): Promise<string> => (await fetch(url + path)).text()
  const ask = async <T>(path: string): Promise<T> => {
    const { result, error } = JSON.parse(await body(path)) as { result: T; error?: unknown }
    if (error !== undefined) throw new Error(JSON.stringify(error))
    return result
  }
  return {
    ...running,
    url,
    ask,
    body,
    reach: async (height) => {
      for (;;) {
        const { sync_info } = await ask<Status>('/status')
        if (Number(sync_info.latest_block_height) >= height) return
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

/** Makes the home of a chain with one validator, with `halley init`. */
export async function makeHome(folder: string): Promise<string> {
  const home = join(folder, 'home')
  await run(HALLEY, ['init', '--home', home])
  return home
}

export const FAST = ['--consensus.timeout_commit=50ms', '--log_level=info'] as const
