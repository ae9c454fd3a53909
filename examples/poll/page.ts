/// <reference lib="dom" />
import { type Account, accountOf, createAccount } from '@org/app'
import {
  createReconnectingTransport,
  createRpcClient,
  createWebSocketTransport,
  RPC_CLIENT_ERRORS,
  RpcClientError,
} from '@org/rpc/client'
import { privateKeyFromJson, privateKeyToJson } from '@org/types/crypto'
import type { Poll } from './app.ts'

/* The page of the polls. `?node=127.0.0.1:26667` is the address of the node. Default: 127.0.0.1:26657. */

const host = new URLSearchParams(location.search).get('node') ?? '127.0.0.1:26657'
// Four attempts take about a second. Then the page shows that the node does not answer.
const client = createRpcClient(
  createReconnectingTransport(() => createWebSocketTransport(`ws://${host}/websocket`), { attempts: 4 }),
)

function loadAccount(): Account {
  const saved = localStorage.getItem('key')
  if (saved !== null) return accountOf(privateKeyFromJson(JSON.parse(saved)))
  const account = createAccount()
  localStorage.setItem('key', JSON.stringify(privateKeyToJson(account.privateKey)))
  return account
}

const account = loadAccount()
const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T
const show = (text: string): void => element('state').replaceChildren(text)
addEventListener('error', ({ error, message }) => show(`Failed: ${error?.message ?? message}`))
addEventListener('unhandledrejection', ({ reason }) => show(`Failed: ${reason?.message ?? reason}`))

async function queryText(path: string, data = ''): Promise<string> {
  const { response } = await client.abciQuery({ path, data })
  if (response.code !== 0) throw new Error(response.log)
  return new TextDecoder().decode(response.value)
}

/** Signs a message, sends it, and waits until a block contains it. Shows the reason if the message is refused. */
async function send(type: string, value: unknown): Promise<void> {
  show('Sending …')
  const nonce = Number(await queryText('/nonce', account.address))
  const { nodeInfo } = await client.status()
  const tx = account.sign({ type, value, nonce, chainId: nodeInfo.network })
  const { checkTx, txResult, height } = await client.broadcastTxCommit({ tx })
  const refused = checkTx.code === 0 ? txResult : checkTx
  show(refused.code === 0 ? `In block ${height}.` : `Refused: ${refused.log}`)
}

/** Makes an element with a text. The text is never read as HTML, because anybody may write a question. */
function make<K extends keyof HTMLElementTagNameMap>(tag: K, text: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  made.textContent = text
  return made
}

function draw(poll: Poll): HTMLElement {
  const article = make('article', '')
  const total = poll.votes.reduce((sum, count) => sum + count, 0)
  article.append(make('h2', poll.question))
  for (const [answer, text] of poll.answers.entries()) {
    const row = make('div', '')
    row.className = 'answer'
    const button = make('button', text)
    button.addEventListener('click', () => send('vote', { poll: poll.id, answer }))
    row.append(button, make('span', `${poll.votes[answer] ?? 0} of ${total}`))
    article.append(row)
  }
  return article
}

async function refresh(): Promise<void> {
  const polls = JSON.parse(await queryText('/polls')) as readonly Poll[]
  element('polls').replaceChildren(...polls.map(draw))
}

element('me').textContent = account.address
element<HTMLFormElement>('ask').addEventListener('submit', async (event) => {
  event.preventDefault()
  const answers = element<HTMLInputElement>('answers').value.split(',')
  await send('ask', { question: element<HTMLInputElement>('question').value, answers, minutes: 60 })
})

/** Draws the polls now and after each transaction. Rejects if the node does not answer. */
async function follow(): Promise<void> {
  await refresh()
  show('')
  for await (const _event of client.subscribe("tm.event='Tx'")) await refresh()
}

function showLoss(error: unknown): void {
  if (!(error instanceof RpcClientError)) throw error
  const { code, message } = error
  if (code !== RPC_CLIENT_ERRORS.transport && code !== RPC_CLIENT_ERRORS.closed) throw error
  show(`Failed: ${message}. Trying again …`)
}

// The transport pauses between its attempts, so this loop needs no pause.
for (;;) await follow().catch(showLoss)
