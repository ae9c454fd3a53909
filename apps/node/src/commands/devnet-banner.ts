/** The facts about a chain of one validator that the banner shows. */
export interface BannerFacts {
  readonly chainId: string
  readonly url: string
  readonly home: string
  readonly ephemeral: boolean
  readonly openness: string
  readonly app: string
  /** The line of the banner with the address of the explorer page; empty if the node does not serve this page. */
  readonly explorer: string
}

/** Returns the text that the command prints when the chain is ready. */
export function banner({ explorer, chainId, url, home, ephemeral, openness, app }: BannerFacts): string {
  return `
  ${chainId}: a chain of one validator with ${app}

  RPC    ${url}
${explorer}  docs   ${url}/docs  (OpenAPI: /openapi.json)
  events ${url}/events?query=tm.event='NewBlock'  (or subscribe at /websocket)
  web    ${openness}
  data   ${home}${ephemeral ? ' (removed at the end)' : ''}
  stop   Ctrl-C${ephemeral ? '' : '; the next start continues the chain, and --reset starts a new one'}

  curl '${url}/status'
  curl '${url}/broadcast_tx_commit?tx="name=satoshi"'
  curl '${url}/abci_query?data="name"'

`
}
