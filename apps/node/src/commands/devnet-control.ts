import { DEVNET_ALWAYS, DEVNET_PRESET, refuseUnsupported } from '../config/index.ts'
import type { CommandContext } from '../context.ts'
import { checkControlAddress } from '../control/check-address.ts'
import { loadDumpFile } from '../control/dump-file.ts'
import { runControl } from '../control/run-control.ts'
import { openHome } from '../home/open-home.ts'

export interface ControlChoices {
  readonly validators: number
  /** The first state of the application, as JSON. */
  readonly appState: string | undefined
  /** Whether other machines may control the chain. */
  readonly remote: boolean
  readonly file: string | undefined
  readonly restart: string | undefined
  readonly watch: boolean
  readonly isNewChain: boolean
  readonly dump: string | undefined
  /** A file with a dump of a chain. The devnet continues this chain. Default: a new chain begins. */
  readonly load: string | undefined
}

/**
 * Runs a chain in memory: a new chain, or the chain of a dump. Clients control the blocks, the time and the validators
 * of the chain through the RPC.
 */
export async function devnetControl(context: CommandContext, choices: ControlChoices): Promise<number> {
  const { appState, load, ...run } = choices
  const { remote } = run
  const home = openHome(context, {
    create: true,
    preset: { ...DEVNET_PRESET, proxy_app: 'kvstore' },
    overFile: DEVNET_ALWAYS,
  })
  refuseUnsupported(home.config)
  checkControlAddress(home.config.rpc.laddr, remote)
  const origin = load === undefined ? undefined : await loadDumpFile(load, context.workingFolder)
  const validators = origin?.keys.length ?? run.validators
  const shown = validators === 1 ? 'with one validator' : `with ${validators} validators`
  return runControl(context, home, {
    ...run,
    validators,
    chain:
      origin === undefined
        ? { genesis: { chainId: 'devnet', ...(appState === undefined ? {} : { appState }) } }
        : { origin },
    facts: {
      chain: `a chain in memory, ${shown}`,
      kept: run.dump === undefined ? 'nothing is kept' : `the chain is written to ${run.dump}`,
    },
  })
}
