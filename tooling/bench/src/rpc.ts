import { setTimeout as sleep } from 'node:timers/promises'

/** Sends one JSON-RPC call, and returns its result. Throws if the answer is an error. */
export async function call<T>(
  port: number,
  method: string,
  params: Readonly<Record<string, unknown>> | readonly unknown[] = {},
): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await answer.json()) as { result?: T; error?: unknown }
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
  return result as T
}

/** Sends one JSON-RPC batch. Throws if the node refuses the whole batch. Ignores errors of single calls. */
export async function callAll(
  port: number,
  method: string,
  list: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(list.map((params, id) => ({ jsonrpc: '2.0', id, method, params }))),
  })
  const answers: unknown = await answer.json()
  if (!Array.isArray(answers)) throw new Error(`${method}: the batch was refused: ${JSON.stringify(answers)}`)
}

export async function heightOf(port: number): Promise<number> {
  const status = await call<{ sync_info: { latest_block_height: string } }>(port, 'status')
  return Number(status.sync_info.latest_block_height)
}

export async function waitForHeight(port: number, height: number, timeoutMs = 60_000): Promise<void> {
  const stop = performance.now() + timeoutMs
  while ((await heightOf(port)) < height) {
    if (performance.now() > stop) throw new Error(`height ${height} was not reached within ${timeoutMs} ms`)
    await sleep(10)
  }
}

/** Makes `count` different transactions of `size` bytes each, in the form `key=value`. */
export function makeTransactions(count: number, size: number, tag: string): Buffer[] {
  return Array.from({ length: count }, (_, i) => {
    const head = `${tag}-${i}=`
    return Buffer.from(head + 'v'.repeat(Math.max(1, size - head.length)))
  })
}
