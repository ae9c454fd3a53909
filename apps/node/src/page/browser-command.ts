import type { Environment } from '../config/index.ts'

/** A program with its arguments. */
export interface BrowserCommand {
  readonly program: string
  readonly args: readonly string[]
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== ''

/**
 * Returns the program that opens a page: the program that the variable `BROWSER` names, or else the program of the
 * system. Returns `undefined` if this machine has no screen.
 */
export function browserCommand(url: string, env: Environment, platform: NodeJS.Platform): BrowserCommand | undefined {
  const named = env.BROWSER
  if (named !== undefined && named !== '') return { program: named, args: [url] }
  if (platform === 'darwin') return { program: 'open', args: [url] }
  // `start` is a command of the shell. It takes its first argument in quotes as the title of the window, so an empty
  // title comes first.
  if (platform === 'win32') return { program: 'cmd', args: ['/c', 'start', '""', url] }
  return isSet(env.DISPLAY) || isSet(env.WAYLAND_DISPLAY) ? { program: 'xdg-open', args: [url] } : undefined
}

/**
 * Returns true if a person can see a page: the output is a terminal, `CI` is not set, and `BROWSER` is not `none`. Test
 * runs set `CI`.
 */
export function canSeePages(env: Environment, interactive: boolean): boolean {
  const isTestRun = isSet(env.CI) && env.CI !== 'false' && env.CI !== '0'
  return interactive && !isTestRun && env.BROWSER !== 'none'
}
