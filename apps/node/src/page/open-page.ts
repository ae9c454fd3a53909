import { spawn } from 'node:child_process'
import { messageOf } from '@org/runtime'
import type { Environment } from '../config/index.ts'
import { browserCommand, canSeePages } from './browser-command.ts'
import { PAGE_ERRORS, PageError } from './errors.ts'

export interface OpenPageModules {
  readonly env: Environment
  readonly interactive: boolean
  readonly out: (text: string) => void
}

/**
 * Opens the page at `url` for the person at the terminal. `url` is `undefined` if the node serves no page; the person
 * then gets a message instead. Never throws.
 */
export type OpenPage = (url: string | undefined) => void

/** Starts the browser as a separate process: the node and the browser do not end each other. */
function start(url: string, { env }: OpenPageModules, failed: (reason: string) => void): void {
  const command = browserCommand(url, env, process.platform)
  if (command === undefined) {
    failed('this machine has no screen, and BROWSER names no program')
    return
  }
  const { program, args } = command
  const child = spawn(program, args, { stdio: 'ignore', detached: true, windowsHide: true })
  child.once('error', (error) => failed(`${program} did not start: ${messageOf(error)}`))
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) failed(`${program} ended with the code ${code}`)
  })
  child.unref()
}

/** Returns a function that opens pages. If a page cannot be opened, the function prints one line with a code. */
export function createOpenPage(modules: OpenPageModules): OpenPage {
  const { env, interactive, out } = modules
  const print = ({ message, code }: PageError): void => out(`  ${message} [${code}]\n\n`)
  return (url) => {
    if (!canSeePages(env, interactive)) return
    if (url === undefined) {
      const message =
        'The page was not opened: the node does not serve it. Set rpc.explorer to true, and rpc.strict to false'
      print(new PageError(PAGE_ERRORS.notServed, message))
      return
    }
    start(url, modules, (reason) => {
      const message = `The page was not opened: ${reason}. Open ${url} yourself, or leave --open out`
      print(new PageError(PAGE_ERRORS.noBrowser, message))
    })
  }
}
