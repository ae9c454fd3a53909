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

type Peer = Awaited<ReturnType<RpcMethods['netInfo']>>['peers'][number]

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

const size = (text: string | undefined): string => (Number.isFinite(Number(text)) ? sizeText(Number(text)) : '–')

function Row({ peer }: { readonly peer: Peer }) {
  const { nodeInfo, isOutbound, remoteIp } = peer
  const traffic = (peer.connectionStatus ?? {}) as Traffic
  const waiting = (traffic.Channels ?? []).reduce((sum, { SendQueueSize: queue }) => sum + Number(queue ?? 0), 0)
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
      <td class="num">{durationText(Number(traffic.Duration ?? Number.NaN) / 1e6)}</td>
      <td class="num">
        {size(traffic.SendMonitor?.CurRate)}/s
        <br />
        <span class="dim">{size(traffic.SendMonitor?.Bytes)}</span>
      </td>
      <td class="num">
        {size(traffic.RecvMonitor?.CurRate)}/s
        <br />
        <span class="dim">{size(traffic.RecvMonitor?.Bytes)}</span>
      </td>
      <td class="num">{numberText(waiting)}</td>
    </tr>
  )
}

/** Shows the peers of the node, with the numbers of bytes that they send and receive. */
export function Peers() {
  const { value, error, exchanges } = useAnswer(
    'peers',
    (client) => client.netInfo(),
    Math.floor(nowMs.value / REFRESH_MS),
  )
  return (
    <>
      <h1>Peers</h1>
      {error === undefined ? null : <Problem error={error} />}
      <Panel title={value === undefined ? 'Peers' : counted(value.nPeers, 'peer')}>
        {value === undefined && error === undefined ? <p class="dim">Loading …</p> : null}
        {value !== undefined && value.peers.length === 0 ? <p class="dim">This node has no peers.</p> : null}
        {value === undefined || value.peers.length === 0 ? null : (
          <Scroll label="Peers">
            <table>
              <TableHead
                columns={['Peer', 'Address', 'Version', 'Connected', 'Sent', 'Received', 'Waiting messages']}
                numbers={['Connected', 'Sent', 'Received', 'Waiting messages']}
              />
              <tbody>
                {value.peers.slice(0, MOST).map((peer) => (
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
