import { basename } from 'node:path'
import { createLane, createLifecycle, escapeControlsInLines, messageOf } from '@org/runtime'
import type { Devnet } from '@org/simnet/devnet'
import { createStyle } from '../app-devnet/style.ts'
import { createFileWatch } from '../app-devnet/watch-files.ts'
import type { CommandContext } from '../context.ts'
import type { ControlledApplications } from './applications.ts'

interface Watching {
  readonly context: CommandContext
  readonly run: { readonly isNewChain: boolean }
}

/**
 * Watches the files of the application. After each change, loads the application again, and replays the chain to the
 * new application. If the replay fails, a new chain begins. A replay fails, for example, because the new application
 * computes another app hash. If `run.isNewChain` is true, nothing is replayed: each change begins a new chain. Resolves
 * with a function that ends the watch. This function waits for a change that is in progress.
 */
export async function watchApplication(
  devnet: Devnet,
  applications: ControlledApplications,
  { context, run }: Watching,
): Promise<() => void | Promise<void>> {
  const { createReport } = await import('../app-devnet/report.ts')
  const { load, files } = applications
  if (load === undefined || files === undefined) return () => undefined
  const style = createStyle(context.interactive && !context.env.NO_COLOR)
  const report = createReport({ out: context.out, style, folder: context.workingFolder })
  const inOrder = createLane()

  async function change(names: readonly string[]): Promise<void> {
    report.line(`Changed: ${names.map((name) => basename(name)).join(', ')}`)
    try {
      await load?.()
    } catch (error) {
      report.error(error)
      report.line('The chain continues with the application as it was. Waiting for a change of the application.')
      return
    }
    try {
      if (run.isNewChain) await devnet.ports.devnet.reset()
      else await devnet.reload()
    } catch (error) {
      // The error may contain text of a transaction that a stranger sent, so control characters are escaped.
      report.line(escapeControlsInLines(`A new chain begins: ${messageOf(error)}`))
      await devnet.ports.devnet.reset()
    }
    report.line(style.good(`Ready at block ${devnet.height()} of ${devnet.chainId()}`))
  }

  const changeAndFollow = async (names: readonly string[]): Promise<void> => {
    if (life.signal.aborted) return
    await change(names).catch(report.error)
    try {
      watch.follow(files())
    } catch (error) {
      report.error(error)
    }
  }

  const watch = createFileWatch((names) => life.run(() => inOrder(() => changeAndFollow(names))), context.clock)
  const life = createLifecycle({ name: 'the watch of the application', stop: watch.close })
  watch.follow(files())
  // The chain continues after an error in a timer, or in a promise that no code awaits.
  context.faults(report.fault, life.signal)
  return life.stop
}
