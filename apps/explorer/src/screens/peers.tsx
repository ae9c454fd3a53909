import type { RpcMethods } from '@org/rpc/client'
import { brief } from '../format/bytes.ts'
import { counted, numberText, sizeText } from '../format/numbers.ts'
import { durationText } from '../format/times.ts'
import { nowMs } from '../live/clock.ts'
import { useAnswer } from '../live/use-answer.ts'
import { Panel, Scroll } from '../parts/panel.tsx'
import { Problem } from '../parts/problem.tsx'
import { Raw } from '../parts/raw.tsx'
import { TableHead } from '../parts/table-head.tsx'

const REFRESH_MS = 3000
/** The maximum number of peers that are shown. */
const MOST = 200

type NodeInfo = Awaited<ReturnType<RpcMethods['netInfo']>>['peers'][number]['nodeInfo']

/** A peer with the numbers of its connection. A number that the node did not send is `NaN`. */
interface Peer {
  readonly nodeInfo: NodeInfo
  readonly isOutbound: boolean
  readonly remoteIp: string
  readonly connectedMs: number
  readonly sent: Flow
  readonly received: Flow
  readonly waiting: number
}

interface Flow {
  readonly bytes: number
  readonly bytesPerSecond: number
}

interface Monitor {
  readonly Bytes?: string
  readonly CurRate?: string
}

interface Traffic {
  readonly Duration?: string
  readonly SendMonitor?: Monitor
  readonly RecvMonitor?: Monitor
  readonly Channels?: readonly { readonly SendQueueSize?: string }[]
}

const numberOf = (text: unknown): number => Number(text ?? Number.NaN)
const flowOf = (monitor: Monitor | undefined): Flow => ({
  bytes: numberOf(monitor?.Bytes),
  bytesPerSecond: numberOf(monitor?.CurRate),
})

/** Calls `net_info`. Rejects if a member of the answer has a wrong type. */
async function loadPeers(client: RpcMethods): Promise<{ readonly count: number; readonly list: readonly Peer[] }> {
  const { nPeers, peers } = await client.netInfo()
  const list = peers.slice(0, MOST).map(({ nodeInfo, isOutbound, remoteIp, connectionStatus }) => {
    const traffic = (connectionStatus ?? {}) as Traffic
    return {
      ...{ nodeInfo, isOutbound, remoteIp, connectedMs: numberOf(traffic.Duration) / 1e6 },
      sent: flowOf(traffic.SendMonitor),
      received: flowOf(traffic.RecvMonitor),
      waiting: (traffic.Channels ?? []).reduce((sum, { SendQueueSize: queue }) => sum + Number(queue ?? 0), 0),
    }
  })
  return { count: nPeers, list }
}

const size = (bytes: number): string => (Number.isFinite(bytes) ? sizeText(bytes) : '–')

function Row({ peer }: { readonly peer: Peer }) {
  const { nodeInfo, isOutbound, remoteIp, connectedMs, sent, received, waiting } = peer
  return (
    <tr>
      <td>
        {brief(nodeInfo.moniker, 40)}
        <br />
        <code class="dim">{brief(nodeInfo.id, 40)}</code>
      </td>
      <td>
        {brief(remoteIp, 45)}
        <br />
        <span class="dim">{isOutbound ? 'dialled by this node' : 'dialled this node'}</span>
      </td>
      <td>{brief(nodeInfo.version, 24)}</td>
      <td class="num">{durationText(connectedMs)}</td>
      <td class="num">
        {size(sent.bytesPerSecond)}/s
        <br />
        <span class="dim">{size(sent.bytes)}</span>
      </td>
      <td class="num">
        {size(received.bytesPerSecond)}/s
        <br />
        <span class="dim">{size(received.bytes)}</span>
      </td>
      <td class="num">{numberText(waiting)}</td>
    </tr>
  )
}

/** Shows the peers of the node, with the numbers of bytes that they send and receive. */
export function Peers() {
  const { value, error, exchanges } = useAnswer('peers', loadPeers, Math.floor(nowMs.value / REFRESH_MS))
  return (
    <>
      <h1>Peers</h1>
      {error === undefined ? null : <Problem error={error} />}
      <Panel title={value === undefined ? 'Peers' : counted(value.count, 'peer')}>
        {value === undefined && error === undefined ? <p class="dim">Loading …</p> : null}
        {value !== undefined && value.list.length === 0 ? <p class="dim">This node has no peers.</p> : null}
        {value === undefined || value.list.length === 0 ? null : (
          <Scroll label="Peers">
            <table>
              <TableHead
                columns={['Peer', 'Address', 'Version', 'Connected', 'Sent', 'Received', 'Waiting messages']}
                numbers={['Connected', 'Sent', 'Received', 'Waiting messages']}
              />
              <tbody>
                {value.list.map((peer) => (
                  <Row key={peer.nodeInfo.id} peer={peer} />
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Panel>
      <Raw exchanges={exchanges} />
    </>
  )
}
