import { loadKeyFile, loadSignState } from '@org/engine/privval'
import { parseGenesis } from '@org/types'
import type { PrivateKey } from '@org/types/crypto'
import { DEVNET_ALWAYS, refuseUnsupported } from '../config/index.ts'
import type { CommandContext } from '../context.ts'
import { checkControlAddress } from '../control/check-address.ts'
import { CONTROL_ERRORS, ControlError } from '../control/errors.ts'
import { runControl } from '../control/run-control.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { exists, readText } from '../home/files.ts'
import { openHome } from '../home/open-home.ts'
import { createOpenPage } from '../page/index.ts'

export interface StartDevnetOptions {
  /** The key files of the other validators, separated by commas. */
  readonly devnetKeys?: string
  readonly remoteControl?: boolean
  readonly appRestart?: string
  readonly dump?: string
  /** Whether to open the explorer page of the chain in a browser. */
  readonly open?: boolean
}

/** Throws if the key has signed before. A key that signs two blocks of one height can be punished. */
function checkUnused(stateFile: string): void {
  if (!exists(stateFile)) return
  const { height } = loadSignState(stateFile)
  if (height === 0) return
  const message = `the key of this home has signed up to height ${height} (${stateFile}), and a devnet begins with the first block again: both signatures together prove a double sign. Continue a copy of the chain with other keys (halley devnet --fork HOME), or, if the key is for tests only, reset the home (halley unsafe-reset-all --home HOME)`
  throw new ControlError(CONTROL_ERRORS.keyWasUsed, message, { data: { height, file: stateFile } })
}

function keysOf(own: string, further: string | undefined): readonly PrivateKey[] {
  const files = [own, ...(further ?? '').split(',').filter((file) => file.trim() !== '')]
  return files.map((file) => loadKeyFile(file.trim()))
}

/**
 * Runs the chain of a home's genesis in memory, with the keys of the home. The RPC controls the blocks, the time and
 * the validators of the chain. The home is only read.
 */
export async function startDevnet(given: CommandContext, options: StartDevnetOptions): Promise<number> {
  const context = options.open === true ? { ...given, openPage: createOpenPage(given) } : given
  const home = openHome(context, { overFile: DEVNET_ALWAYS })
  const { config, paths } = home
  refuseUnsupported(config)
  checkControlAddress(config.rpc.laddr, options.remoteControl === true)
  if (config.base.privValidatorLaddr !== '') {
    const message =
      'a devnet signs in this process and does not use a remote signer: remove priv_validator_laddr, and give the keys by files'
    throw new CliError(CLI_ERRORS.usage, message)
  }
  const genesis = parseGenesis(readText(paths.genesis), context.clock.now())
  const keys = keysOf(paths.privValidatorKey, options.devnetKeys)
  checkUnused(paths.privValidatorState)
  const shown =
    keys.length === 1 ? "with the key of this home's validator" : `with the keys of ${keys.length} validators`
  return runControl(context, home, {
    chain: { origin: { genesis, keys, blocks: { base: 0, height: 0, lastTime: genesis.genesisTime } } },
    validators: keys.length,
    file: undefined,
    restart: options.appRestart,
    watch: false,
    isNewChain: false,
    dump: options.dump,
    facts: {
      chain: `the chain of ${paths.genesis} in memory, ${shown}`,
      kept: 'nothing is kept, and the home was only read',
    },
  })
}
