import { spawn } from 'node:child_process'
import { CONTROL_ERRORS, ControlError } from './errors.ts'

/** The maximum number of characters of a command's output in an error. */
const SHOWN = 500

/**
 * Returns a function that runs the command of `--app-restart` in a shell, and resolves when the command has ended. The
 * application then runs in the background. Rejects with `DEVNET_RESTART_COMMAND`.
 */
export function restartCommand(command: string, folder: string): () => Promise<void> {
  return () =>
    new Promise((resolve, reject) => {
      // Only standard error is read, for the text of an error. Standard output is ignored. A program that continues in
      // the background would keep a pipe of standard output open, and this process would have to read the pipe all the
      // time.
      const child = spawn(command, { cwd: folder, shell: true, stdio: ['ignore', 'ignore', 'pipe'] })
      let errors = ''
      child.stderr.on('data', (data: Buffer) => {
        errors = (errors + data.toString()).slice(-SHOWN)
      })
      const fail = (what: string): void => {
        const message = `the command of --app-restart ${what}: ${JSON.stringify(command)}${errors === '' ? '' : `; it printed ${errors.trim()}`}`
        reject(new ControlError(CONTROL_ERRORS.restartCommand, message))
      }
      child.on('error', ({ message }) => fail(`cannot be started (${message})`))
      child.on('exit', (code, signal) => {
        child.stderr.destroy()
        if (code === 0) resolve()
        else fail(signal === null ? `ended with code ${code}` : `ended by ${signal}`)
      })
    })
}
