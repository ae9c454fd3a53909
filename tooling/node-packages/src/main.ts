import { fileURLToPath } from 'node:url'
import { pinnedPrograms } from './pinned-programs.ts'
import { isPublished, publishProgram } from './publish-program.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const HELP = `pnpm release:node: publishes the packages with the pinned Node.js

For each platform: fetches the package of the npm registry that the lockfile names, compares it with its hash in the
lockfile, takes the program and its licence from it, compares the program with the hash in the launchers, and publishes
both as @org/node-PLATFORM. Skips each version that the registry has already. "pnpm release:publish" does this first.

  --check   publishes nothing. Exit code 1 if the registry does not have all of these packages. The publication of
            @org/pinned-node, which depends on them, begins with this check.`

const has = (...flags: readonly string[]): boolean => process.argv.some((argument) => flags.includes(argument))

/** Sets exit code 1, with a message, if the registry does not have the packages of all platforms. */
async function checkPublished(): Promise<void> {
  for (const program of pinnedPrograms(ROOT)) {
    if (await isPublished(program, process.env)) continue
    console.error(
      `The registry does not have ${program.name}@${program.version}, on which @org/pinned-node depends: run "npx pnpm@12 release:publish", which publishes it first`,
    )
    process.exitCode = 1
  }
}

async function publishPrograms(): Promise<void> {
  for (const program of pinnedPrograms(ROOT)) {
    const published = await publishProgram(program)
    console.log(`${program.name}@${program.version}: ${published ? 'published' : 'the registry has it already'}`)
  }
}

if (has('--help', '-h')) console.log(HELP)
else await (has('--check') ? checkPublished() : publishPrograms())
