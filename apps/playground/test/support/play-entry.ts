import '../../src/platform/set-immediate.ts'
import { type Played, play } from './play.ts'

// The program of a worker thread: it plays one scenario with the nodes of its bundle.

/** The thread's module of Node. The bundler replaces `node:worker_threads`, so it is loaded without an import. */
const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
parentPort?.postMessage(await play(workerData as Played))
