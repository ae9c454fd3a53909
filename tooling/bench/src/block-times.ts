import { call } from './rpc.ts'

interface Meta {
  readonly header: { readonly height: string; readonly time: string }
  readonly num_txs: string
}

/** The maximum number of heights in one answer of `blockchain`. */
const AT_ONCE = 20

/** Converts an RFC 3339 time to milliseconds since 1970, with fractions. */
function milliseconds(time: string): number {
  const [whole = '', fraction = ''] = time.replace('Z', '').split('.')
  return Date.parse(`${whole}Z`) + Number(`0.${fraction}`) * 1000
}

/** Returns the block metas (header and size of each block) from the height `from` to `to`, in ascending order. */
async function blockMetas(port: number, from: number, to: number): Promise<readonly Meta[]> {
  const metas: Meta[] = []
  for (let low = from; low <= to; low += AT_ONCE) {
    const range = { minHeight: String(low), maxHeight: String(Math.min(low + AT_ONCE - 1, to)) }
    metas.push(...(await call<{ block_metas: readonly Meta[] }>(port, 'blockchain', range)).block_metas.toReversed())
  }
  return metas
}

/** Returns the number of transactions in the blocks from `from` to `to`. */
export async function countTxs(port: number, from: number, to: number): Promise<number> {
  return (await blockMetas(port, from, to)).reduce((sum, meta) => sum + Number(meta.num_txs), 0)
}

/**
 * Returns the time in the header of each block, by height, in milliseconds since 1970. The chain keeps these times,
 * so no process has to watch the chain while it runs.
 */
export async function blockTimes(port: number, from: number, to: number): Promise<ReadonlyMap<number, number>> {
  const metas = await blockMetas(port, from, to)
  return new Map(metas.map(({ header }) => [Number(header.height), milliseconds(header.time)]))
}

/** Returns the times between successive blocks, in milliseconds. */
export async function blockIntervals(port: number, from: number, to: number): Promise<readonly number[]> {
  const times = [...(await blockTimes(port, from, to)).values()]
  return times.slice(1).map((time, i) => time - (times[i] as number))
}
