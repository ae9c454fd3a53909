import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Registry } from './registry.ts'
import { whenHealthy } from './when-healthy.ts'

/** A command of a project that runs until it is stopped. */
export interface ProjectCommand {
  /** Returns an error text if the command has ended; `undefined` while the command runs. */
  readonly ended: () => string | undefined
  readonly output: () => string
  readonly stop: () => Promise<void>
}

/** Starts a command, such as `npm run dev`, in the folder of a project. */
export function startCommand(folder: string, { env }: Registry, command: string): ProjectCommand {
  // The command has its own process group, so that a signal reaches all of its processes. npm does not send a signal
  // to every process that it started.
  const shell = spawn('sh', ['-euc', command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk))
  const closed = new Promise((resolve) => shell.once('close', resolve))
  return {
    output: () => output,
    ended: () => (shell.exitCode === null ? undefined : `${command} ended with ${shell.exitCode}:\n${output}`),
    stop: async () => {
      if (shell.pid !== undefined && shell.exitCode === null) process.kill(-shell.pid, 'SIGTERM')
      await closed
    },
  }
}

interface StatusAnswer {
  readonly result: { readonly sync_info: { readonly latest_block_height: string } }
}

/**
 * Waits until the node at `url`, which a command runs, has a block. Rejects if the command ends before the node has a
 * block.
 */
export async function untilBlock(url: string, { ended }: ProjectCommand): Promise<void> {
  await whenHealthy(url, ended)
  for (let height = 0; height < 1; await sleep(50)) {
    const reason = ended()
    if (reason !== undefined) throw new Error(reason)
    const { result } = (await (await fetch(`${url}/status`)).json()) as StatusAnswer
    height = Number(result.sync_info.latest_block_height)
  }
}
