import type { RpcTransport } from '@org/rpc/client'

type Result = Readonly<Record<string, unknown>>

const within = (value: unknown): Result => (value ?? {}) as Result

/** Returns the text with another first character. The other characters stay, so that the text keeps its form. */
const otherText = (text: unknown): unknown =>
  typeof text === 'string' && text !== '' ? (text.startsWith('A') ? 'B' : 'A') + text.slice(1) : text

/**
 * The functions that falsify the answers of two operations. They change the app hash in a header, or the value of a
 * key.
 */
const LIES: Readonly<Record<string, (result: Result) => Result>> = {
  commit: (result) => {
    const signed = within(result.signed_header)
    const header = within(signed.header)
    return { ...result, signed_header: { ...signed, header: { ...header, app_hash: otherText(header.app_hash) } } }
  },
  abci_query: (result) => {
    const response = within(result.response)
    return { ...result, response: { ...response, value: otherText(response.value) } }
  },
}

/** Returns a transport that falsifies the answers of `inner` while `isLying` returns true. */
export function lyingTransport(inner: RpcTransport, isLying: () => boolean): RpcTransport {
  return {
    ...inner,
    send: async (calls, signal) => {
      const answers = await inner.send(calls, signal)
      if (!isLying()) return answers
      return answers.map((answer, i) => {
        const lie = LIES[calls[i]?.method ?? '']
        return lie === undefined || !('result' in answer) ? answer : { result: lie(within(answer.result)) }
      })
    },
  }
}
