import '../../src/platform/set-immediate.ts'
import { type Played, play } from './play.ts'

// The program of a worker thread. It plays one scenario, with the nodes that are in the same bundle as this program.

// The bundler would replace an import of `node:worker_threads`, so the module is loaded by `process.getBuiltinModule`.
const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
parentPort?.postMessage(await play(workerData as Played))
