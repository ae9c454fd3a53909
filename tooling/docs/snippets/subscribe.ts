import { createReconnectingTransport, createRpcClient, createWebSocketTransport } from '@org/rpc/client'

const url = 'ws://127.0.0.1:26657/websocket'
const live = createRpcClient(createReconnectingTransport(() => createWebSocketTransport(url)))
for await (const { data } of live.subscribe("tm.event='NewBlock'", { afterHeight: 0 })) {
  console.log(data.type)
  break
}
live.close() // an open connection keeps the process alive
