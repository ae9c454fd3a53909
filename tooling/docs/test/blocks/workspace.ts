import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { freePort, launch, makeTemporaryFolder, type Running } from '@org/golden'

export const root: string = new URL('../../../../', import.meta.url).pathname

/** The ports that the documents show. Each of them is replaced by a free port. */
const PORTS = [26656, 26657, 26658, 26660, 4173, 8080, 8888]

/** A temporary folder in which the commands of a document run. */
export interface Workspace extends AsyncDisposable {
  readonly folder: string
  /** The home folder of the user, `~`. */
  readonly home: string
  /** Adds a shell script with this name to a folder of `PATH`, so that the commands of the document can run it. */
  readonly addProgram: (name: string, script: string) => void
  /**
   * Replaces three things in a text: each port by a free port, the word `FOLDER` by the path of the folder, and each
   * text that was given to `set` by its replacement.
   */
  readonly replace: (text: string) => string
  readonly set: (replacements: Readonly<Record<string, string>>) => void
  /**
   * Runs a shell command to its end, in `cwd` or in the temporary folder. Resolves to the output. Rejects if the
   * command fails.
   */
  readonly run: (command: string, cwd?: string) => Promise<string>
  /** Starts a shell command. It runs until the caller stops it, or until this object is disposed of. */
  readonly start: (command: string, cwd?: string) => Running
}

/** Returns the script of a package in the folder `folder` of the repository. */
function scriptOf(folder: string, script: string): string {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  return manifest.scripts[script] ?? `no script ${script} in ${folder}`
}

/**
 * Returns the command in a line of a document, without its comment. A command of pnpm is replaced by the script that
 * pnpm would run, so that the test does not need pnpm.
 */
export const commandIn = (line: string): string =>
  line
    .replace(/ +# .*$/, '')
    .replace(/npx pnpm@\S+ --filter @org\/(\S+) run (\S+)/, (_all, name: string, script: string) => {
      const folder = `apps/${name}`
      return `cd ${join(root, folder)} && ${scriptOf(folder, script)}`
    })
    .replaceAll(/npx pnpm@\S+ exec /g, '')
    .replaceAll(/npx pnpm@\S+ (?:run )?([\w:-]+)/g, (_all, script: string) => scriptOf('.', script))

/** Puts `exec` before the last command of a line, so that a signal reaches the command itself and not its shell. */
const withExec = (command: string): string => command.replace(/^(.*&& )?/, '$1exec ')

/**
 * Replaces each key of the map in a text by the value of the key. For example, a key is a port that a document shows,
 * and its value is a free port. The function does not search the values that it inserts for further keys, because the
 * digits of a free port may contain another key. If two keys begin at the same place of the text, the longer key is
 * replaced.
 */
function replaceAll(text: string, replacements: ReadonlyMap<string, string>): string {
  const keys = [...replacements.keys()].toSorted((a, b) => b.length - a.length)
  const escaped = keys.map((key) => key.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return text.replaceAll(new RegExp(escaped.join('|'), 'g'), (key) => replacements.get(key) ?? key)
}

/** Creates the temporary folder in which the commands of a document run. It is empty at first. */
export async function createWorkspace(): Promise<Workspace> {
  const { path: base } = await makeTemporaryFolder('halley-blocks-')
  const folder = join(base, 'work')
  await mkdir(folder)
  await mkdir(join(base, 'bin'))
  const replacements = new Map([['FOLDER', folder]])
  for (const port of PORTS) replacements.set(String(port), String(await freePort()))
  const bins = [
    join(base, 'bin'),
    dirname(process.execPath),
    join(root, 'apps/node/bin'),
    join(root, 'apps/kvstore/bin'),
  ]
  const env = { ...process.env, HOME: base, PATH: [...bins, process.env.PATH].join(':') }
  const started: Running[] = []
  const launched = (command: string, cwd = folder): Running => launch('sh', ['-euc', command], { cwd, env })
  return {
    folder,
    home: base,
    addProgram: (name, script) => writeFileSync(join(base, 'bin', name), script, { mode: 0o755 }),
    replace: (text) => replaceAll(text, replacements),
    set: (more) => {
      for (const [from, to] of Object.entries(more)) replacements.set(from, to)
    },
    run: async (command, cwd) => {
      const running = launched(command, cwd)
      const code = await running.ended
      if (code !== 0) throw new Error(`${command} ended with ${code}:\n${running.output()}`)
      return running.output()
    },
    start: (command, cwd) => {
      const running = launched(withExec(command), cwd)
      started.push(running)
      return running
    },
    [Symbol.asyncDispose]: async () => {
      for (const running of started.toReversed()) await running.stop('SIGINT')
      await rm(base, { recursive: true, force: true })
    },
  }
}
