import { RPC_CLIENT_ERRORS, RpcClientError } from './errors.ts'
import type { RpcEvent } from './transport.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The event in a message. Returns `undefined` if the value is not an event, because a node may send any JSON. */
export function eventOf(value: unknown): RpcEvent | undefined {
  if (!isObject(value) || !isObject(value.data) || typeof value.data.type !== 'string') return undefined
  const events = value.events ?? {}
  if (!isObject(events)) return undefined
  const isList = (list: unknown): boolean => Array.isArray(list) && list.every((item) => typeof item === 'string')
  if (typeof value.query !== 'string' || !Object.values(events).every(isList)) return undefined
  return { ...value, events } as unknown as RpcEvent
}

export const wrongEvent = (): RpcClientError =>
  new RpcClientError(RPC_CLIENT_ERRORS.shape, 'an event of the subscription has an unexpected form', {
    data: { method: 'subscribe' },
  })
