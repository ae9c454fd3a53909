import { createAbciServer } from '@org/abci'
import { createKvStore } from '@org/kvstore'

// A program that runs as a separate process: the kvstore as CometMock needs it. Its argument is the address.

const app = createKvStore({})
const server = createAbciServer(
  { address: process.argv[2] as string, kind: 'socket' },
  {
    app: {
      ...app,
      // CometMock takes the validators from this answer only. Applications of the Cosmos SDK return their validators
      // here. This kvstore and the kvstore of the reference return none.
      initChain: async (request) => {
        const validators = request.validators.map(({ pubKey, power }) => ({ pubKey, power }))
        return { ...(await app.initChain(request)), validators }
      },
    },
  },
)
process.once('SIGTERM', () => void server.stop())
await server.start()
