import { createHttpTransport, createRpcClient } from '@org/rpc/client'

const client = createRpcClient(createHttpTransport('http://127.0.0.1:26657'))
const { height } = await client.broadcastTxCommit({ tx: 'colour=blue' })
const { response } = await client.abciQuery({ data: 'colour' })
console.log(`block ${height}: ${new TextDecoder().decode(response.value)}`)
