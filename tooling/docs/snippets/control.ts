import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import { createDevnetClient } from '@org/rpc/client/devnet'

const transport = createHttpTransport('http://127.0.0.1:26657')
const [client, devnet] = [createRpcClient(transport), createDevnetClient(transport)]

const saved = await devnet.snapshot()
await devnet.advanceTime(30 * 86_400) // the time is in seconds
const height = await devnet.mine(5, 1000) // makes five blocks, whose times are 1000 ms apart

const { validators } = await client.validators()
const address = Buffer.from(validators[3]?.address ?? [])
  .toString('hex')
  .toUpperCase()
await devnet.crash(address)
await devnet.mine()
await devnet.restart(address)
await devnet.causeDoubleSign(address)

console.log((await devnet.revert(saved)) < height)
