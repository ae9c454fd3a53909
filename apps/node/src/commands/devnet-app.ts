import { basename, dirname, resolve } from 'node:path'
import { createAppNode } from '../app-devnet/app-node.ts'
import { dropHaltErrors } from '../app-devnet/drop-halt-errors.ts'
import { loadApplication } from '../app-devnet/load-application.ts'
import { createModuleGraph } from '../app-devnet/module-graph.ts'
import { createReport } from '../app-devnet/report.ts'
import { createStyle } from '../app-devnet/style.ts'
import { createFileWatch } from '../app-devnet/watch-files.ts'
import { createWatchdog } from '../app-devnet/watchdog.ts'
import { type Config, DEVNET_ALWAYS, DEVNET_PRESET, refuseUnsupported } from '../config/index.ts'
import type { CommandContext } from '../context.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { openHome } from '../home/open-home.ts'
import { resetDevnet } from '../home/reset-devnet.ts'
import type { Node } from '../node/create-node.ts'
import { explorerLine, explorerUrl } from '../node/explorer.ts'
import { rpcAccessText } from '../node/rpc-access-text.ts'
import { serve } from '../node/serve.ts'
import { refuseLateAppState } from './devnet-app-state.ts'
import type { DevnetChoices } from './devnet-choices.ts'

export interface AppChoices extends DevnetChoices {
  /** The file of the application, as it was given. */
  readonly file: string
  readonly watch: boolean
  /** `replay`: each change replays the chain into the new application. `reset`: each change begins a new chain. */
  readonly onChange: 'replay' | 'reset'
}

export function onChangeOf(text: string): AppChoices['onChange'] {
  if (text === 'replay' || text === 'reset') return text
  throw new CliError(
    CLI_ERRORS.usage,
    `invalid argument ${JSON.stringify(text)} for "--on-change" flag: replay or reset is expected`,
  )
}

function watchLines(onChange: AppChoices['onChange']): string {
  const effect = onChange === 'reset' ? 'starts a new chain' : 'replays the chain into the new application'
  return `  watch  a change of the file, or of a file that it imports, ${effect}
  keys   r and Enter: load the application again; n and Enter: start a new chain
`
}

function banner(
  node: Node,
  { file, watch, onChange, ephemeral, home, config }: AppChoices & { readonly home: string; readonly config: Config },
): string {
  const url = node.rpcUrls()[0] ?? ''
  const explorer = explorerLine(url, config)
  return `
  ${node.chainId()}: a chain of one validator with ${basename(file)}

  RPC    ${url}
${explorer}  docs   ${url}/docs  (OpenAPI: /openapi.json)
  web    ${rpcAccessText(config.rpc)}
  data   ${home}${ephemeral ? ' (removed at the end)' : ''}
${watch ? watchLines(onChange) : ''}  stop   Ctrl-C${ephemeral ? '' : '; the next start continues the chain, and --reset starts a new one'}

  send   curl '${url}/broadcast_tx_commit?tx="TEXT"'
  query  curl '${url}/abci_query?path="/PATH"&data="TEXT"'

`
}

/** Runs a chain with the application of a file, in this process. */
export async function devnetApp(context: CommandContext, choices: AppChoices): Promise<number> {
  if (context.flags.has('proxy_app')) {
    throw new CliError(CLI_ERRORS.usage, '--app and --proxy_app exclude each other: both name the application')
  }
  const file = resolve(context.workingFolder, choices.file)
  // The configuration cannot name an application that is loaded from a file, so it names `noop`. The node gets the
  // loaded application directly.
  const preset = { ...DEVNET_PRESET, proxy_app: 'noop' }
  const home = openHome(context, { create: true, forDevnet: true, preset, overFile: DEVNET_ALWAYS })
  refuseUnsupported(home.config)
  if (choices.reset) await resetDevnet([home])
  refuseLateAppState(home.paths.genesis, choices.appState)
  const folder = dirname(file)
  const style = createStyle(context.interactive && !context.env.NO_COLOR)
  const report = createReport({ out: context.out, style, folder })
  const graph = createModuleGraph(folder)
  const { clock } = context
  const watch = choices.watch
    ? createFileWatch((changed) => {
        report.line(`Changed: ${changed.map((path) => basename(path)).join(', ')}`)
        appNode.restart(choices.onChange === 'reset')
      }, clock)
    : undefined
  const watchdog = createWatchdog({ clock, onInterrupted: (error) => appNode.interrupted(error) })
  const appNode = createAppNode(
    {
      home: { ...home, logger: dropHaltErrors(home.logger) },
      appState: choices.appState,
      kind: choices.watch ? 'watched' : 'once',
    },
    {
      context,
      report,
      load: async () => {
        try {
          return await watchdog.guard(loadApplication(graph, file))
        } finally {
          watch?.follow(graph.files())
        }
      },
      guard: watchdog.guard,
      onReady: (node, isFirst) => {
        if (isFirst) {
          context.out(banner(node, { ...choices, home: context.home, config: home.config }))
          context.openPage(explorerUrl(node.rpcUrls()[0] ?? '', home.config))
        } else report.line(style.good(`Ready at block ${node.height()} of ${node.chainId()}`))
      },
    },
  )
  const onLine = (line: string): void => {
    if (line === 'n' || line === 'r') appNode.restart(line === 'n')
  }
  // With `--watch`, the chain continues after an error in a timer, or in a promise that no code awaits.
  const listening = new AbortController()
  if (choices.watch) {
    context.lines(onLine, listening.signal)
    context.faults(report.fault, listening.signal)
  }
  try {
    return await serve(appNode, { ...context, logger: home.logger })
  } finally {
    listening.abort()
    watch?.close()
    watchdog.close()
    graph.close()
    home.flush()
  }
}
