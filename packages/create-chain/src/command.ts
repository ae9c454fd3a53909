import { spawn } from 'node:child_process'
import { relative, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { messageOf } from '@org/runtime/errors'
import { checkName, createProject } from './create-project.ts'
import { CREATE_ERRORS, CreateError } from './errors.ts'

const HELP = `npm create @org/chain [folder] -- [options]

Writes a TypeScript project: an application with balances and nonces, its tests, a chain for development, a network of
four validators, and a client.

  --yes          ask nothing: the folder is my-chain if none is given, and the packages are installed
  --no-install   do not run npm install
  --help         this text

  npm create @org/chain my-chain
  cd my-chain
  npm run dev
`

const DEFAULT_FOLDER = 'my-chain'

interface Choices {
  readonly folder: string | undefined
  readonly install: boolean
  readonly yes: boolean
  readonly help: boolean
}

function readFlags(args: readonly string[]): Choices {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        yes: { type: 'boolean', short: 'y', default: false },
        'no-install': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (positionals.length > 1) {
      const message = `give one folder, got ${positionals.length}: ${positionals.join(' ')}`
      throw new CreateError(CREATE_ERRORS.flag, message)
    }
    return { folder: positionals[0], install: !values['no-install'], yes: values.yes, help: values.help }
  } catch (error) {
    if (error instanceof CreateError) throw error
    throw new CreateError(CREATE_ERRORS.flag, `${messageOf(error)}. --help lists the options`, { cause: error })
  }
}

/** Asks for the name of the folder if the input is a terminal. Otherwise returns the default. */
async function askFolder({ yes }: Choices): Promise<string> {
  if (yes || !process.stdin.isTTY) return DEFAULT_FOLDER
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(`  Name of the folder (${DEFAULT_FOLDER}): `)).trim() || DEFAULT_FOLDER
  } finally {
    terminal.close()
  }
}

function installPackages(folder: string): Promise<void> {
  return new Promise((done, fail) => {
    const args = ['install', '--no-audit', '--no-fund', '--prefer-offline']
    const npm = spawn('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
    const failed = (reason: string): void => {
      const message = `npm install did not work (${reason}). The project is complete: run npm install in ${folder} again`
      fail(new CreateError(CREATE_ERRORS.install, message, { data: { folder } }))
    }
    npm.once('error', (error) => failed(messageOf(error)))
    npm.once('close', (code) => (code === 0 ? done() : failed(`exit code ${code}`)))
  })
}

/** Runs the command. Rejects with a {@link CreateError}. */
export async function runCommand(args: readonly string[]): Promise<void> {
  const choices = readFlags(args)
  if (choices.help) {
    console.log(HELP)
    return
  }
  const name = choices.folder ?? (await askFolder(choices))
  checkName(name)
  const folder = resolve(name)
  const files = await createProject(folder)
  console.log(`\n  Wrote ${files.length} files into ${folder}`)
  if (choices.install) await installPackages(folder)
  const place = relative(process.cwd(), folder)
  console.log(`
${place === '' ? '' : `  cd ${place}\n`}${choices.install ? '' : '  npm install\n'}  npm run dev       a chain with your application, which is loaded again at each change
  npm test          the tests, on a chain without ports
  npm run client    sends a transaction and shows events; needs npm run dev in another terminal
  npm run network   four validators, each with its own application
`)
}
