import { createHttpTransport, createRpcClient } from '@org/rpc/client'

const client = createRpcClient(createHttpTransport('http://127.0.0.1:26657'))
const [block, results] = await client.batch((one) => [one.block({ height: 1 }), one.blockResults({ height: 1 })])
console.log(block.block?.header.height, results.height)
