import { Command } from 'commander'
import { DEVNET_PRESET, PLACES, type Preset } from '../config/index.ts'
import type { CommandContext } from './context.ts'
import { CLI_ERRORS, CliError } from './errors.ts'
import { HELP_TEXTS } from './help-texts.ts'

/** Commands of the reference that this version does not have. */
const NOT_BUILT = [
  'light',
  'replay',
  'replay-console',
  'debug',
  'compact-goleveldb',
  'experimental-compact-goleveldb',
  'completion',
]

const NOT_BUILT_TEXT = `
Not built in this version: ${NOT_BUILT.join(', ')}.
`

export interface ProgramOutput {
  /** Takes the command's exit code. */
  readonly done: (code: number) => void
  readonly out: (text: string) => void
}

type Action<Options> = (context: CommandContext, options: Options) => number | Promise<number>

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]

/** The flags of a command that runs a node, for its help; their values were taken out before commander saw the arguments. */
function flagHelp(preset: Preset = {}): string {
  const lines = PLACES.filter(({ key }) => key.help !== undefined).map(({ path, key }) => {
    const preferred = preset[path]
    // The reference's file has a comma behind the last value of a list; a reader of the help needs none.
    const usual = key.kind.toToml(key.fallback).replace(/, \]$/, ']')
    const fallback = preferred === undefined ? usual : JSON.stringify(preferred)
    return `  --${path.padEnd(42)} ${key.help}${fallback === '""' || fallback === 'false' ? '' : ` (default ${fallback})`}`
  })
  return `\nConfiguration flags:\n${lines.join('\n')}\n\nEvery other key of config.toml is a flag too (--section.key), and a variable (HALLEY_SECTION_KEY or CMT_SECTION_KEY).`
}

/** All commands. Nothing of a command is loaded before it is asked for. */
export function createProgram(context: CommandContext, { done, out }: ProgramOutput): Command {
  const program = new Command('halley')
    .description('A CometBFT v0.38 consensus node in TypeScript')
    .option('--home <dir>', 'directory for config and data (else $HALLEY_HOME, $CMTHOME, $HOME/.halley)')
    .option('--trace', 'print out full stack trace on errors')
    .helpCommand('help [command]', 'Help about any command')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', ({ command }) => (command.parent === null ? `${HELP_TEXTS.program}${NOT_BUILT_TEXT}` : ''))

  const run =
    <Options>(load: () => Promise<Action<Options>>) =>
    async (options: Options): Promise<void> => {
      const action = await load()
      done(await action(context, options))
    }
  const add = (name: string, description: string, ...aliases: readonly string[]): Command =>
    program.command(name).description(description).aliases(aliases).allowExcessArguments(true)

  const startCommand = add('start', 'Run the node', 'node', 'run')
    .option('--genesis_hash <hex>', 'optional SHA-256 hash of the genesis file')
    .option('--genesis-hash <hex>', 'the same')
    .option(
      '--stay-up',
      'after a consensus failure, keep answering requests; by default the process ends with exit code 1',
    )
    .addHelpText('after', () => HELP_TEXTS.start + flagHelp())
    .action(run(async () => (await import('../commands/start.ts')).start))
  startCommand.usage('[flags]')
  add('devnet', 'Run a chain with a key-value store, ready for use')
    .option('--validators <number>', 'number of validators: nodes in this process, each with a home of its own', '1')
    .option('--ephemeral', 'keep nothing')
    .option('--log', 'write blocks and transactions as they come')
    .option('--reset', 'remove the chain that is there, and begin another one')
    .option('--app-state <json>', 'app_state of a new chain for the application: JSON, or a file with JSON')
    .addHelpText('after', () => HELP_TEXTS.devnet + flagHelp(DEVNET_PRESET))
    .action(run(async () => (await import('../commands/devnet.ts')).devnet))
  add('init', 'Initialize a home')
    .addHelpText('after', HELP_TEXTS.init)
    .action(run(async () => (await import('../commands/init.ts')).init))
  add('version', 'Show version info')
    .option('-v, --verbose', 'show protocol and library versions')
    .action(run(async () => (await import('../commands/version.ts')).version))
  add('show-node-id', "Show this node's ID", 'show_node_id')
    .addHelpText('after', HELP_TEXTS.showNodeId)
    .action(run(async () => (await import('../commands/keys.ts')).showNodeId))
  add('show-validator', "Show this node's validator info", 'show_validator').action(
    run(async () => (await import('../commands/keys.ts')).showValidator),
  )
  add('gen-node-key', 'Generate a node key for this node and print its ID', 'gen_node_key').action(
    run(async () => (await import('../commands/keys.ts')).genNodeKey),
  )
  add('gen-validator', 'Generate new validator keypair', 'gen_validator')
    .addHelpText('after', HELP_TEXTS.genValidator)
    .action(run(async () => (await import('../commands/keys.ts')).genValidator))
  add('testnet', 'Initialize files for a testnet')
    .option('--v <number>', 'number of validators', '4')
    .option('--n <number>', 'number of non-validators', '0')
    .option('--o <dir>', 'directory to store initialization data for the testnet', './mytestnet')
    .option('--config <file>', 'config file to use (note some options may be overwritten)')
    .option('--node-dir-prefix <prefix>', 'prefix of the directory name of each node', 'node')
    .option('--initial-height <height>', 'initial height of the first block', '0')
    .option('--populate-persistent-peers', 'write the list of peers into each config', true)
    .option('--no-populate-persistent-peers', 'do not')
    .option('--hostname-prefix <prefix>', 'hostname prefix', 'node')
    .option('--hostname-suffix <suffix>', 'hostname suffix', '')
    .option('--starting-ip-address <ip>', 'IP address of the first node, the others count up', '')
    .option('--hostname <name>', 'hostname of a node, once for each', collect, [])
    .option('--p2p-port <port>', 'P2P port', '26656')
    .option('--random-monikers', 'randomize the moniker for each generated node')
    .addHelpText('after', HELP_TEXTS.testnet)
    .action(run(async () => (await import('../commands/testnet.ts')).testnet))
  add('inspect', 'Serve the stores of a stopped node over RPC, read-only')
    .addHelpText('after', HELP_TEXTS.inspect)
    .action(run(async () => (await import('../commands/inspect.ts')).inspect))
  add('reset-state', 'Remove all the data and WAL', 'reset_state')
    .addHelpText('after', HELP_TEXTS.resetState)
    .action(run(async () => (await import('../commands/reset.ts')).resetState))
  add(
    'unsafe-reset-all',
    "(unsafe) Remove all the data and WAL, reset this node's validator to genesis state",
    'unsafe_reset_all',
  )
    .option('--keep-addr-book', 'keep the address book intact')
    .addHelpText('after', HELP_TEXTS.resetAll)
    .action(run(async () => (await import('../commands/reset.ts')).resetAll))
  add(
    'unsafe-reset-priv-validator',
    "(unsafe) Reset this node's validator to genesis state",
    'unsafe_reset_priv_validator',
  )
    .addHelpText('after', HELP_TEXTS.resetPrivValidator)
    .action(run(async () => (await import('../commands/reset.ts')).resetPrivValidator))
  add('rollback', 'Roll the state back by one height')
    .option('--hard', 'remove last block as well as state')
    .addHelpText('after', HELP_TEXTS.rollback)
    .action(run(async () => (await import('../commands/rollback.ts')).rollback))
  add('reindex-event', 'Index the events of stored blocks again', 'reindex_event')
    .option('--start-height <height>', 'first block; 0: the first that is stored', '0')
    .option('--end-height <height>', 'last block; 0: the last that is stored', '0')
    .addHelpText('after', HELP_TEXTS.reindexEvent)
    .action(run(async () => (await import('../commands/reindex-event.ts')).reindexEvent))
  for (const name of NOT_BUILT) {
    program
      .command(name, { hidden: true })
      .description('Not built in this version of halley')
      .allowUnknownOption(true)
      .allowExcessArguments(true)
      .action(() => {
        throw new CliError(CLI_ERRORS.notBuilt, `${name} is not built in this version of halley`)
      })
  }
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ writeOut: out, writeErr: () => undefined })
  }
  // Without a command the reference shows its help and succeeds.
  program.allowExcessArguments(true).action(() => {
    const [name] = program.args
    if (name !== undefined) throw new CliError(CLI_ERRORS.usage, `unknown command ${JSON.stringify(name)} for "halley"`)
    program.outputHelp()
  })
  return program
}
