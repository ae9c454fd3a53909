import type { Page } from 'playwright-core'

type Change = (text: string) => string

/**
 * Changes the messages on the WebSocket between the page and the node. `change` changes the node's messages, and
 * `changeCall` changes the page's calls.
 */
export async function changeAnswers(page: Page, change: Change, changeCall: Change = (call) => call): Promise<void> {
  await page.routeWebSocket(/\/websocket\b/, (socket) => {
    const node = socket.connectToServer()
    socket.onMessage((message) => node.send(typeof message === 'string' ? changeCall(message) : message))
    node.onMessage((message) => socket.send(typeof message === 'string' ? change(message) : message))
  })
}

interface Call {
  readonly id: number | string
  readonly method: string
}

/** Answers each call of the page with `answer`. No node receives the calls. */
export async function answerCalls(page: Page, answer: (call: Call) => string): Promise<void> {
  await page.routeWebSocket(/\/websocket\b/, (socket) => {
    socket.onMessage((message) => {
      const calls = JSON.parse(String(message)) as Call | readonly Call[]
      for (const call of Array.isArray(calls) ? calls : [calls]) socket.send(answer(call))
    })
  })
}
