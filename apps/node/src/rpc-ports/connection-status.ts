import type { Peer } from '@org/p2p'
import type { Json } from '@org/types/schema'
import { formatTime } from '@org/types/time'

type Status = ReturnType<Peer['status']>

/** Bytes one way. Rates are averages over the whole connection: nothing shorter is measured. */
function monitor(bytes: number, { durationNs, start }: { readonly durationNs: bigint; readonly start: string }): Json {
  const rate = String(durationNs === 0n ? 0n : (BigInt(bytes) * 1_000_000_000n) / durationNs)
  return {
    Start: start,
    Bytes: String(bytes),
    Samples: '1',
    InstRate: rate,
    CurRate: rate,
    AvgRate: rate,
    PeakRate: rate,
    BytesRem: '0',
    Duration: String(durationNs),
    Idle: '0',
    TimeRem: '0',
    Progress: 0,
    Active: true,
  }
}

/** A connection as `net_info` shows it. */
export function connectionStatusToJson(status: Status, now: bigint): Json {
  const { durationNs, sentBytes, receivedBytes, channels } = status
  const facts = { durationNs, start: formatTime(now - durationNs) }
  return {
    Duration: String(durationNs),
    SendMonitor: monitor(sentBytes, facts),
    RecvMonitor: monitor(receivedBytes, facts),
    Channels: channels.map(({ id, priority, sendQueueCapacity, sendQueueSize, recentlySent }) => ({
      ID: id,
      SendQueueCapacity: String(sendQueueCapacity),
      SendQueueSize: String(sendQueueSize),
      Priority: String(priority),
      RecentlySent: String(recentlySent),
    })),
  }
}
