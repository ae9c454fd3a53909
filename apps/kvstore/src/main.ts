import { escapeControlsInLines, isCodedError, messageOf } from '@org/runtime'
import { Command, InvalidArgumentError, Option } from 'commander'
import { createLineLogger } from './log.ts'
import { DEFAULT_RULES, RULES } from './rules/index.ts'
import { type ServeOptions, serve } from './serve.ts'

const logger = createLineLogger((line) => void process.stderr.write(line))

async function run(options: ServeOptions): Promise<void> {
  const stopping = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  const serving = await serve(options, logger)
  const where = options.home === undefined ? 'memory' : options.home
  process.stdout.write(
    `kvstore: listening on ${serving.address} (${options.abci}), rules ${serving.rules}, state in ${where}\n`,
  )
  await stopping
  await serving.stop()
}

const nonEmpty = (text: string): string => {
  if (text === '') throw new InvalidArgumentError('The value must not be empty.')
  return text
}

const count = (text: string): number => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('The value must be a whole number from 0.')
  return value
}

const program = new Command('kvstore')
  .description('Runs the demo application, a key-value store, for any node that uses ABCI 2.0.')
  .option(
    '--address <address>',
    'address to listen on: tcp://host:port or unix://path',
    nonEmpty,
    'tcp://127.0.0.1:26658',
  )
  .addOption(
    new Option('--abci <kind>', 'protocol between node and application').choices(['socket', 'grpc']).default('socket'),
  )
  .option('--home <dir>', 'folder of the state (default: the state is kept in memory and lost at the end)', nonEmpty)
  .addOption(
    new Option('--rules <rules>', 'rules for transactions; see the README of the package')
      .choices([...RULES])
      .default(DEFAULT_RULES),
  )
  .option(
    '--snapshot-interval <heights>',
    'minimum number of heights between two snapshots; 0 takes no snapshots (default: 100; 0 with the rules v0.38)',
    count,
  )
  .action(run)

try {
  await program.parseAsync()
} catch (error) {
  const code = isCodedError(error) ? `${error.code}: ` : ''
  // The error may contain text of a damaged database, so control characters are escaped.
  process.stderr.write(`${escapeControlsInLines(`kvstore: ${code}${messageOf(error)}`)}\n`)
  process.exitCode = 1
}
