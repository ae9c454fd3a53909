import { runLater } from './run-later.ts'

// The packages use Node's global function. It must exist before the first module that calls it runs.
Object.assign(globalThis, { setImmediate: runLater })
