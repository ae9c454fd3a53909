import type { RpcCall } from '@org/rpc/client'

/** Returns a text in single quotes, for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Returns the curl command that makes a call. */
export function curlOf(rpcUrl: string, { method, params }: RpcCall): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return `curl -s ${quoted(rpcUrl)} -H 'content-type: application/json' -d ${quoted(body)}`
}
