import type { Peer } from '@org/p2p'
import type { Json } from '@org/types/schema'
import { formatTime } from '@org/types/time'

type Status = ReturnType<Peer['status']>

const nanoseconds = (ms: number): string => String(BigInt(ms) * 1_000_000n)

/**
 * Returns the statistics of one direction of a connection, in the reference's JSON. The total size of the transfer is
 * unknown, so the number of remaining bytes is 0.
 */
function monitor(flow: Status['sent'], start: string): Json {
  return {
    Start: start,
    Bytes: String(flow.bytes),
    Samples: String(flow.samples),
    InstRate: String(flow.lastRate),
    CurRate: String(flow.currentRate),
    AvgRate: String(flow.averageRate),
    PeakRate: String(flow.peakRate),
    BytesRem: '0',
    Duration: nanoseconds(flow.durationMs),
    Idle: nanoseconds(flow.idleMs),
    TimeRem: '0',
    Progress: 0,
    Active: true,
  }
}

/** A connection as `net_info` shows it. */
export function connectionStatusToJson(status: Status, now: bigint): Json {
  const { durationNs, sent, received, channels } = status
  const start = formatTime(now - durationNs)
  return {
    Duration: String(durationNs),
    SendMonitor: monitor(sent, start),
    RecvMonitor: monitor(received, start),
    Channels: channels.map(({ id, priority, sendQueueCapacity, sendQueueSize, recentlySent }) => ({
      ID: id,
      SendQueueCapacity: String(sendQueueCapacity),
      SendQueueSize: String(sendQueueSize),
      Priority: String(priority),
      RecentlySent: String(recentlySent),
    })),
  }
}
