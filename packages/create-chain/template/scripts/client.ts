import { createAccount } from '@org/app'
import { createHttpTransport, createRpcClient, createWebSocketTransport } from '@org/rpc/client'

// Sends 5 from alice to bob, and shows the event that the subscription receives.
// To use a node at another address: npm run client -- 127.0.0.1:26667
const host = process.argv[2] ?? '127.0.0.1:26657'
const client = createRpcClient(createHttpTransport(`http://${host}`))
const live = createRpcClient(createWebSocketTransport(`ws://${host}/websocket`))

// createAccount(text) makes the same key for the same text. A real account has a random key: createAccount().
const [alice, bob] = [createAccount('alice'), createAccount('bob')]

const ask = async (path: string, data: string): Promise<string> => {
  const { response } = await client.abciQuery({ path, data })
  return new TextDecoder().decode(response.value)
}
const balance = (address: string) => ask('/balance', JSON.stringify(address))

const { nodeInfo } = await client.status()
const received = (async () => {
  for await (const { events } of live.subscribe(`tm.event='Tx' AND transfer.to='${bob.address}'`)) return events
  return undefined
})()
// If the node refuses the transfer, no event arrives. `received` then rejects when the connection is closed. This
// handler prevents an unhandled rejection.
received.catch(() => undefined)

const nonce = Number(await ask('/nonce', alice.address))
const value = { to: bob.address, amount: '5' }
const tx = alice.sign({ type: 'transfer', value, nonce, chainId: nodeInfo.network })
const { checkTx, txResult, height } = await client.broadcastTxCommit({ tx })
if (checkTx.code !== 0 || txResult.code !== 0) {
  console.error(`refused: ${checkTx.log || txResult.log}`)
  process.exitCode = 1
} else {
  console.log(`in block ${height}: alice has ${await balance(alice.address)}, bob has ${await balance(bob.address)}`)
  console.log('event:', await received)
}
live.close()
