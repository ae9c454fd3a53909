import { hexToBytes, utf8ToBytes } from '@org/types/bytes'
import { RPC_CLIENT_ERRORS, RpcClientError } from './errors.ts'

type Given = Readonly<Record<string, unknown>>

/**
 * Returns the names of the parameters whose values are bytes. `params` lists the parameters in the notation of
 * `table.ts`, such as `hash:B prove:b`. The letters `B` and `x` mean bytes.
 */
function bytesParameters(params: string): readonly string[] {
  return params
    .split(' ')
    .filter((param) => /:[Bx]$/.test(param))
    .map((param) => param.slice(0, -2))
}

function wrong(method: string, argument: string, why: string): RpcClientError {
  const message = `${method}: ${argument} ${why}`
  return new RpcClientError(RPC_CLIENT_ERRORS.argument, message, { data: { method, argument } })
}

/**
 * Returns the bytes of an argument. If the value is a text, it is decoded: the text of a `hash` as hex, any other text
 * as UTF-8.
 */
function bytesOf(method: string, argument: string, value: unknown): Uint8Array {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  const isHash = argument === 'hash'
  const wanted = isHash ? 'hex digits, two for each byte' : 'a text'
  if (typeof value !== 'string')
    throw wrong(method, argument, `must be a Uint8Array or ${wanted}, got ${value === null ? 'null' : typeof value}`)
  if (!isHash) return utf8ToBytes(value)
  const bytes = hexToBytes(value.replace(/^0x/i, ''))
  if (bytes === undefined)
    throw wrong(
      method,
      argument,
      `must be a Uint8Array or ${wanted}, got the text ${JSON.stringify(value.slice(0, 80))}`,
    )
  return bytes
}

/**
 * Throws if the arguments are not an object. Without this check, a value such as a list would be read as a call without
 * arguments.
 */
function checkObject(method: string, params: string, args: unknown): void {
  if (typeof args === 'object' && args !== null && !Array.isArray(args) && !ArrayBuffer.isView(args)) return
  const [first = ''] = params.split(':')
  throw wrong(method, 'arguments', `must be an object${first === '' ? '' : `, such as { ${first}: … }`}`)
}

/**
 * Returns a copy of the arguments in which texts are replaced by bytes, for the parameters whose values are bytes.
 * `params` lists the parameters of the method in the notation of `table.ts`.
 */
export function withBytes(method: string, params: string, args: Given): Given {
  checkObject(method, params, args)
  const changed: Record<string, unknown> = { ...args }
  for (const name of bytesParameters(params))
    if (args[name] !== undefined) changed[name] = bytesOf(method, name, args[name])
  return changed
}
