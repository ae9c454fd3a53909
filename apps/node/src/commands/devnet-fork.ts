import { DEVNET_ALWAYS, DEVNET_PRESET, refuseUnsupported } from '../config/index.ts'
import type { CommandContext } from '../context.ts'
import { checkControlAddress } from '../control/check-address.ts'
import { forkHome } from '../control/fork-home.ts'
import { runControl } from '../control/run-control.ts'
import { openHome } from '../home/open-home.ts'
import type { ControlChoices } from './devnet-control.ts'

/**
 * Runs a copy of the chain of a stopped home in memory. The copy has other keys, and the RPC controls its blocks, time
 * and validators. The home is only read.
 */
export async function devnetFork(
  context: CommandContext,
  choices: Omit<ControlChoices, 'appState' | 'load'>,
  from: string,
): Promise<number> {
  const { validators, remote } = choices
  const { origin, proxyApp } = await forkHome(context, from, validators)
  const home = openHome(context, {
    create: true,
    preset: { ...DEVNET_PRESET, proxy_app: proxyApp },
    overFile: DEVNET_ALWAYS,
  })
  refuseUnsupported(home.config)
  checkControlAddress(home.config.rpc.laddr, remote)
  const who = validators === 1 ? 'one validator' : `${validators} validators`
  return runControl(context, home, {
    ...choices,
    chain: { origin },
    facts: {
      chain: `a copy of the chain of ${from} from block ${origin.blocks?.height} on, in memory, with ${who}`,
      kept: 'nothing is kept, and the home was only read',
    },
  })
}
