import { isCodedError } from '@org/runtime/errors'
import { runCommand } from './command.ts'

try {
  await runCommand(process.argv.slice(2))
} catch (error) {
  // An error without a code is a fault of this program, so it is shown with its stack.
  if (!isCodedError(error)) throw error
  console.error(`\n  ${error.message} (${error.code})\n`)
  process.exitCode = 1
}
