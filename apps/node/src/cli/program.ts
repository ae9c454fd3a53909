import { Command } from 'commander'
import type { LightCommandOptions } from '../commands/light.ts'
import { CONFIG_KEYS, DEVNET_PRESET, type Preset } from '../config/index.ts'
import type { CommandContext } from '../context.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { HELP_TEXTS } from './help-texts.ts'
import { ignoredWords } from './ignored-words.ts'
import { throwUsageErrors, unknownCommand } from './usage-error.ts'

/** Commands of the reference that this version does not have. */
const NOT_BUILT = [
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
  /** Receives the command's exit code. */
  readonly onExitCode: (code: number) => void
  readonly out: (text: string) => void
  /** Receives a warning, with a line feed at its end. */
  readonly warn: (text: string) => void
}

type Action<Options> = (context: CommandContext, options: Options) => number | Promise<number>

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/**
 * Returns the help for the configuration flags of a command that runs a node. commander does not have these flags,
 * because they are removed from the arguments before commander parses them.
 */
function flagHelp(preset: Preset = {}): string {
  const lines = CONFIG_KEYS.filter(({ key }) => key.help !== undefined).map(({ path, key }) => {
    const preferred = preset[path]
    // The reference's config.toml has a comma after the last value of a list. The help leaves this comma out.
    const usual = key.kind.toToml(key.fallback).replace(/, \]$/, ']')
    const fallback = preferred === undefined ? usual : JSON.stringify(preferred)
    return `  --${path.padEnd(42)} ${key.help}${fallback === '""' || fallback === 'false' ? '' : ` (default ${fallback})`}`
  })
  return `\nConfiguration flags:\n${lines.join('\n')}\n\nEvery other key of config.toml is a flag too (--section.key). Every key can also be set by an environment variable (HALLEY_SECTION_KEY or CMT_SECTION_KEY).`
}

function withStartDevnetFlags(command: Command): Command {
  return command
    .option(
      '--devnet',
      'run the chain of the genesis in memory, and let the RPC control it; no file of the home is changed',
    )
    .option('--devnet-keys <files>', 'with --devnet: key files of further validators, with commas between them')
    .option('--open', 'with --devnet: open the page of the chain in a browser; not in CI, and not without a terminal')
    .option('--dump <file>', 'with --devnet: write the chain to this file at the end')
    .option('--remote-control', 'with --devnet: let other machines control the chain too')
    .option(
      '--app-restart <command>',
      'with --devnet: a command that starts the application again with its first state',
    )
}

function withDevnetFlags(command: Command): Command {
  return command
    .option('--validators <number>', 'number of validators; each is a node in this process with its own home', '1')
    .option('--statesync', 'with --validators: start one more node, which joins the chain by state sync')
    .option('--ephemeral', 'store the chain in a temporary folder, and remove it at the end')
    .option('--open', 'open the page of the chain in a browser; not in CI, and not without a terminal')
    .option('--log', 'print blocks and transactions as they are committed')
    .option('--reset', 'remove the stored chain and start a new one')
    .option('--app <file>', 'run the application that this TypeScript or JavaScript file exports, in this process')
    .option('--watch', 'with --app: load the application again when its file, or a file that it imports, changes')
    .option(
      '--on-change <what>',
      'with --watch: replay (default) replays the chain into the new application; reset begins a new chain',
    )
    .option('--control', 'run a chain in memory whose blocks, time and validators the RPC controls')
    .option('--load <file>', 'with --control: begin with the chain of a dump')
    .option('--dump <file>', 'with --control: write the chain to this file at the end')
    .option('--fork <home>', 'run a copy of the chain of a stopped home in memory, with other keys and with --control')
    .option('--remote-control', 'with --control: let other machines control the chain too')
    .option(
      '--app-restart <command>',
      'with --control and --proxy_app: a command that starts the application again with its first state, for dev_revert',
    )
    .option('--app-state <json>', 'app_state in the genesis of a new chain: JSON, or the name of a file with JSON')
}

function withTestnetFlags(command: Command): Command {
  return command
    .option('--v <number>', 'number of validators', '4')
    .option('--n <number>', 'number of nodes that are not validators', '0')
    .option('--o <dir>', 'directory in which the homes are made', './mytestnet')
    .option('--config <file>', 'config file to begin from; some of its keys are overwritten')
    .option('--node-dir-prefix <prefix>', 'prefix of the directory name of each node', 'node')
    .option('--initial-height <height>', 'height of the first block', '0')
    .option(
      '--populate-persistent-peers',
      'write the addresses of all nodes into the persistent_peers of each node',
      true,
    )
    .option('--no-populate-persistent-peers', 'leave persistent_peers empty')
    .option('--hostname-prefix <prefix>', 'prefix of the host names, before the number of the node', 'node')
    .option('--hostname-suffix <suffix>', 'suffix of the host names, after the number of the node', '')
    .option(
      '--starting-ip-address <ip>',
      'IP address of the first node; the other nodes get the addresses after it',
      '',
    )
    .option('--hostname <name>', 'host name of a node; give the flag once for each node', collect, [])
    .option('--p2p-port <port>', 'P2P port of every node', '26656')
    .option('--random-monikers', 'give each node a random moniker')
    .option('--statesync', 'with --n: the nodes that are not validators begin with a snapshot (state sync)')
}

function withLightFlags(command: Command): Command {
  return command
    .argument('[chainID]', 'the id of the chain')
    .allowExcessArguments(false)
    .option('-p, --primary <url>', 'address of the RPC of the node whose answers are verified')
    .option(
      '-w, --witnesses <urls>',
      'addresses of other nodes, with commas between them; these nodes confirm the headers of the primary',
    )
    .option('--height <height>', 'height of the header that you trust', '1')
    .option('--hash <hex>', 'hash of that header; without --hash, the proxy continues with the headers in its store')
    .option('--laddr <address>', 'address at which the proxy listens', 'tcp://localhost:8888')
    .option('--home-dir <dir>', 'folder of the store of verified headers (default: $HOME/.cometbft-light)')
    .option('--trusting-period <duration>', 'time during which a verified header is trusted', '168h0m0s')
    .option('--trust-level <fraction>', 'part of the trusted validators that must sign a later header', '1/3')
    .option('--sequential', 'verify every header between two heights, not only the headers that are necessary')
    .option('--max-open-connections <number>', 'maximum number of simultaneous connections', '900')
    .option('--yes', 'remove stored headers that contradict --height and --hash')
    .option('--verbose', 'write all log lines')
}

/**
 * All commands. The code of a command is loaded only when it is called. The function is long because it contains the
 * list of the commands.
 */
export function createProgram(context: CommandContext, { onExitCode, out, warn }: ProgramOutput): Command {
  const program = new Command('halley')
    .description('A CometBFT v0.38 consensus node in TypeScript')
    .option('--home <dir>', 'directory for config and data (default: $HALLEY_HOME, then $CMTHOME, then $HOME/.halley)')
    .option('--trace', 'print the full stack trace of errors')
    .helpCommand('help [command]', 'Show the help of a command')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', ({ command }) => (command.parent === null ? `${HELP_TEXTS.program}${NOT_BUILT_TEXT}` : ''))

  const run =
    <Options>(load: () => Promise<Action<Options>>) =>
    async (options: Options, command: Command): Promise<void> => {
      const warning = ignoredWords(command)
      if (warning !== undefined) warn(warning)
      const action = await load()
      onExitCode(await action(context, options))
    }
  const add = (name: string, description: string, ...aliases: readonly string[]): Command =>
    program.command(name).description(description).aliases(aliases).allowExcessArguments(true)

  const startCommand = withStartDevnetFlags(add('start', 'Run the node', 'node', 'run'))
    .option('--genesis_hash <hex>', 'SHA-256 hash that the genesis file must have, in hex (optional)')
    .option('--genesis-hash <hex>', 'the same as --genesis_hash')
    .option(
      '--stay-up',
      'keep answering requests after a consensus failure; by default the process ends with exit code 1',
    )
    .addHelpText('after', () => HELP_TEXTS.start + flagHelp())
    .action(run(async () => (await import('../commands/start.ts')).start))
  startCommand.usage('[flags]')
  withDevnetFlags(add('devnet', 'Run a local chain, ready to use, with a key-value store or your own application'))
    .addHelpText('after', () => HELP_TEXTS.devnet + flagHelp(DEVNET_PRESET))
    .action(run(async () => (await import('../commands/devnet.ts')).devnet))
  add('init', 'Make a home: keys, configuration and genesis file')
    .addHelpText('after', HELP_TEXTS.init)
    .action(run(async () => (await import('../commands/init.ts')).init))
  add('version', 'Show the version')
    .option('-v, --verbose', 'show the versions of the protocols and libraries too')
    .action(run(async () => (await import('../commands/version.ts')).version))
  add('show-node-id', "Show this node's ID", 'show_node_id')
    .addHelpText('after', HELP_TEXTS.showNodeId)
    .action(run(async () => (await import('../commands/keys.ts')).showNodeId))
  add('show-validator', "Show this node's validator key", 'show_validator').action(
    run(async () => (await import('../commands/keys.ts')).showValidator),
  )
  add('gen-node-key', 'Generate a node key for this node and print its ID', 'gen_node_key').action(
    run(async () => (await import('../commands/keys.ts')).genNodeKey),
  )
  add('gen-validator', 'Generate a new validator key pair and print it', 'gen_validator')
    .addHelpText('after', HELP_TEXTS.genValidator)
    .action(run(async () => (await import('../commands/keys.ts')).genValidator))
  withTestnetFlags(add('testnet', 'Make the homes of a network of nodes'))
    .addHelpText('after', HELP_TEXTS.testnet)
    .action(run(async () => (await import('../commands/testnet.ts')).testnet))
  add('inspect', 'Answer RPC requests from the stored data of a stopped node')
    .addHelpText('after', HELP_TEXTS.inspect)
    .action(run(async () => (await import('../commands/inspect.ts')).inspect))
  add('reset-state', 'Remove the databases and the WAL; keep what the validator signed last', 'reset_state')
    .addHelpText('after', HELP_TEXTS.resetState)
    .action(run(async () => (await import('../commands/reset.ts')).resetState))
  add('unsafe-reset-all', '(unsafe) Remove all data, also the record of what the validator signed', 'unsafe_reset_all')
    .option('--keep-addr-book', 'keep the address book')
    .addHelpText('after', HELP_TEXTS.resetAll)
    .action(run(async () => (await import('../commands/reset.ts')).resetAll))
  add(
    'unsafe-reset-priv-validator',
    '(unsafe) Remove the record of what the validator signed',
    'unsafe_reset_priv_validator',
  )
    .addHelpText('after', HELP_TEXTS.resetPrivValidator)
    .action(run(async () => (await import('../commands/reset.ts')).resetPrivValidator))
  add('rollback', 'Roll the state back by one height')
    .option('--hard', 'remove the last block too')
    .addHelpText('after', HELP_TEXTS.rollback)
    .action(run(async () => (await import('../commands/rollback.ts')).rollback))
  add('reindex-event', 'Index the events of stored blocks again', 'reindex_event')
    .option('--start-height <height>', 'height of the first block to index; 0 means the first stored block', '0')
    .option('--end-height <height>', 'height of the last block to index; 0 means the last stored block', '0')
    .addHelpText('after', HELP_TEXTS.reindexEvent)
    .action(run(async () => (await import('../commands/reindex-event.ts')).reindexEvent))
  const snapshot = add('snapshot', 'Prepare the start of a node from a snapshot (state sync)')
  snapshot.action(() => showHelpOf(snapshot))
  snapshot
    .command('trust-root')
    .description('Print the header from which a new node verifies the chain, as lines of config.toml')
    .option('--node <url>', 'address of the RPC of a node; give the flag once for each node', collect)
    .option('--height <height>', 'height of the header (default: about 1000 heights before the latest)')
    .option('--write', 'write the lines into the config.toml of --home, and enable state sync there')
    .addHelpText('after', HELP_TEXTS.trustRoot)
    .action(run(async () => (await import('../commands/trust-root.ts')).trustRoot))
  withLightFlags(add('light', 'Run a proxy that verifies the answers of a node'))
    .addHelpText('after', HELP_TEXTS.light)
    .action(async (chainId: string | undefined, options: LightCommandOptions) => {
      const { light } = await import('../commands/light.ts')
      onExitCode(await light(context, chainId, options))
    })
  for (const name of NOT_BUILT) {
    program
      .command(name, { hidden: true })
      .description('Not built in this version of halley')
      .allowUnknownOption(true)
      .allowExcessArguments(true)
      .action(() => {
        throw new CliError(
          CLI_ERRORS.notBuilt,
          `the command ${name} is not built in this version of halley; use the Go node's command of this name`,
        )
      })
  }
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    throwUsageErrors(command).configureOutput({ writeOut: out, writeErr: () => undefined })
  }
  // As in the reference, `halley` without a command shows the help, and the exit code is 0.
  program.allowExcessArguments(true).action(() => showHelpOf(program))
  return program
}

/**
 * Shows the help of a command that has subcommands, such as `halley` or `halley snapshot`, if the user gave no
 * subcommand. Throws a `CliError` if the given name is not a subcommand.
 */
function showHelpOf(command: Command): void {
  const [name] = command.args
  if (name !== undefined) throw unknownCommand(name, command)
  command.outputHelp()
}
