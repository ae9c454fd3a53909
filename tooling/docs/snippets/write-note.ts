import { createAccount } from '@org/app'
import { createHttpTransport, createRpcClient } from '@org/rpc/client'

const client = createRpcClient(createHttpTransport('http://127.0.0.1:26657'))
const alice = createAccount('alice') // only for development: the same name always gives the same key

const ask = async (path: string, data: string): Promise<string> => {
  const { response } = await client.abciQuery({ path, data })
  return new TextDecoder().decode(response.value)
}

const { nodeInfo } = await client.status()
const nonce = Number(await ask('/nonce', alice.address))
const tx = alice.sign({ type: 'write', value: { title: 'todo', text: 'read on' }, nonce, chainId: nodeInfo.network })
const { txResult } = await client.broadcastTxCommit({ tx })
console.log(txResult.code, await ask('/note', JSON.stringify('todo')))
