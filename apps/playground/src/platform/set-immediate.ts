import { runLater } from './run-later.ts'

// The packages use Node's global function `setImmediate`. This replacement must exist before the first module that
// calls the function runs.
Object.assign(globalThis, { setImmediate: runLater })
