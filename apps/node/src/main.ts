import { enableCompileCache } from 'node:module'

enableCompileCache()
const { runCli } = await import('./cli/run.ts')

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  colored: process.stdout.isTTY === true,
})
