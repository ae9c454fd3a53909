import type { RpcMethods } from '@org/rpc/client'
import { base64ToBytes } from '@org/types/bytes'
import { brief } from '../format/bytes.ts'
import { indentedText } from '../format/json.ts'
import { numberText, sizeText } from '../format/numbers.ts'
import { durationText } from '../format/times.ts'
import { chainCalls, status } from '../live/chain.ts'
import { useAnswer } from '../live/use-answer.ts'
import { LongText } from '../parts/long-text.tsx'
import { Facts, Panel } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { Raw } from '../parts/raw.tsx'

/**
 * The maximum number of characters of a genesis that the page indents. Indenting a longer text would freeze the page.
 */
const MAX_INDENTED = 500_000
/** The maximum number of chunks of a genesis that the page loads. */
const MAX_CHUNKS = 4

interface Genesis {
  readonly json: string
  /** True if the page loaded only the first chunks of the genesis. */
  readonly isCut: boolean
}

/** Loads the genesis. The page loads only the first chunks of a large genesis. */
async function loadGenesis(client: RpcMethods): Promise<Genesis> {
  try {
    return { json: (await client.genesis()).genesis, isCut: false }
  } catch (error) {
    if (!/genesis_chunked/.test(String(error))) throw error
    // A chunk may end inside a character of several bytes, so the chunks are decoded as one text.
    const decoder = new TextDecoder()
    for (let chunk = 0, json = ''; ; chunk++) {
      const { data, total } = await client.genesisChunked({ chunk })
      json += decoder.decode(base64ToBytes(data), { stream: true })
      const isLast = chunk + 1 >= total
      if (isLast || chunk + 1 >= MAX_CHUNKS) return { json, isCut: !isLast }
    }
  }
}

const indented = (json: string): string => (json.length > MAX_INDENTED ? json : (indentedText(json) ?? json))

function Params() {
  const { value, error, exchanges } = useAnswer('params', (client) => client.consensusParams())
  if (error !== undefined) return <Problem error={error} />
  if (value === undefined) return <p class="dim">Loading …</p>
  const { block, evidence, validator, version, abci } = value.consensusParams
  return (
    <>
      <Facts
        rows={[
          ['Block size', block.maxBytes < 0n ? 'no limit' : `at most ${sizeText(Number(block.maxBytes))}`],
          ['Gas of a block', block.maxGas < 0n ? 'no limit' : `at most ${numberText(block.maxGas)}`],
          [
            'Age of evidence',
            `at most ${numberText(evidence.maxAgeNumBlocks)} blocks and ${durationText(Number(evidence.maxAgeDuration / 1_000_000n))}`,
          ],
          ['Evidence of a block', `at most ${sizeText(Number(evidence.maxBytes))}`],
          ['Keys of validators', brief(validator.pubKeyTypes.join(', '), 200)],
          ['Version of the application', numberText(version.app)],
          [
            'Vote extensions',
            abci.voteExtensionsEnableHeight === 0
              ? 'off'
              : `from height ${numberText(abci.voteExtensionsEnableHeight)}`,
          ],
        ]}
      />
      <Raw exchanges={exchanges} />
    </>
  )
}

function Configuration() {
  const found = status.value
  if (found === undefined) return <p class="dim">Waiting for the node …</p>
  const { nodeInfo, syncInfo } = found
  const { p2p, block, app } = nodeInfo.protocolVersion
  return (
    <>
      <Facts
        rows={[
          ['Name', brief(nodeInfo.moniker)],
          ['Version', brief(nodeInfo.version)],
          ['Protocols', `P2P ${p2p}, block ${block}, application ${app}`],
          ['Address for peers', brief(nodeInfo.listenAddr)],
          ['Address of the RPC', brief(nodeInfo.other.rpcAddress)],
          ['Index of transactions', brief(nodeInfo.other.txIndex)],
          ['Earliest block', numberText(syncInfo.earliestBlockHeight)],
        ]}
      />
      <Raw exchanges={chainCalls.value.filter(({ call }) => call.method === 'status')} />
    </>
  )
}

function GenesisText() {
  const { value, error, exchanges } = useAnswer('genesis', loadGenesis)
  if (error !== undefined) return <Problem error={error} />
  if (value === undefined) return <p class="dim">Loading …</p>
  return (
    <>
      <LongText text={indented(value.json)} label="Genesis" />
      {value.isCut ? (
        <p class="dim">These are the first {MAX_CHUNKS} chunks. The call genesis_chunked returns the others.</p>
      ) : null}
      <Raw exchanges={exchanges} />
    </>
  )
}

/** Shows what does not change with each block: the genesis, the parameters, and facts about the node. */
export function Chain() {
  return (
    <>
      <h1>Chain and node</h1>
      <div class="columns">
        <Panel title="Consensus parameters">
          <Params />
        </Panel>
        <Panel title="Node">
          <Configuration />
        </Panel>
      </div>
      <Panel title="Genesis">
        <GenesisText />
      </Panel>
    </>
  )
}
