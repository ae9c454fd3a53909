export { type CliProcess, runCli } from './cli/run.ts'
