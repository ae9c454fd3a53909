import { enableCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import { keepHeapSmall } from './heap-growth.ts'

// This call sets flags of V8, and must come before the heap grows.
keepHeapSmall()
enableCompileCache()
// If the program runs from its TypeScript sources, module hooks resolve the imports of these sources faster.
if (import.meta.url.endsWith('.ts')) (await import('./source-resolution.ts')).resolveSourcesQuickly()
const { runCli } = await import('./cli/run.ts')
const { escapeControlsInLines } = await import('@org/runtime')

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

const code = await runCli(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  interactive: process.stdout.isTTY === true,
  workingFolder: process.cwd(),
  lines: (listener, signal) => {
    const reader = createInterface({ input: process.stdin, terminal: false, signal })
    reader.on('line', (line) => listener(line.trim()))
  },
  faults: (listener, signal) => {
    const onFault = (error: unknown): void => {
      if (listener(error)) return
      // Does what Node.js does if a program has no listener for uncaught errors: prints the stack on standard error,
      // and exits with code 1.
      process.stderr.write(`${escapeControlsInLines(inspect(error))}\n`)
      process.exit(1)
    }
    process.on('uncaughtException', onFault)
    signal.addEventListener('abort', () => process.off('uncaughtException', onFault), { once: true })
  },
  signals: (listener, signal) => {
    for (const name of SIGNALS) {
      process.on(name, listener)
      signal.addEventListener('abort', () => process.off(name, listener), { once: true })
    }
  },
})
// The process must end now, even if sockets or timers are still open.
process.exit(code)
