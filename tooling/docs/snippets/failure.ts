import { createHttpTransport, createRpcClient, isRpcFailure } from '@org/rpc/client'

const client = createRpcClient(createHttpTransport('http://127.0.0.1:26657'))
try {
  await client.block({ height: 1_000_000_000 })
} catch (error) {
  if (!isRpcFailure(error)) throw error
  console.log(error.code)
}
