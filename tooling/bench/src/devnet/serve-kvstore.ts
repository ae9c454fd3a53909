import { createAbciServer } from '@org/abci'
import { createKvStore } from '@org/kvstore'

// A program that runs as a separate process: a kvstore for CometMock. The argument of the program is the address of the
// kvstore.

const app = createKvStore({})
const server = createAbciServer(
  { address: process.argv[2] as string, kind: 'socket' },
  {
    app: {
      ...app,
      // CometMock takes the validators only from the answer to InitChain. The kvstores of Halley and of the reference
      // return no validators in this answer, so this program adds the validators of the genesis.
      initChain: async (request) => {
        const validators = request.validators.map(({ pubKey, power }) => ({ pubKey, power }))
        return { ...(await app.initChain(request)), validators }
      },
    },
  },
)
process.once('SIGTERM', () => void server.stop())
await server.start()
