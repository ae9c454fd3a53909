import { fileURLToPath } from 'node:url'
import { pinnedPrograms } from './pinned-programs.ts'
import { publishProgram } from './publish-program.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const HELP = `pnpm release:node: publishes the packages with the pinned Node.js

For each platform: fetches the package of the npm registry that the lockfile names, compares it with its hash in the
lockfile, takes the program and its licence from it, compares the program with the hash in the launchers, and publishes
both as @org/node-PLATFORM. Skips each version that the registry has already. Run it before "changeset publish".`

if (process.argv.some((argument) => argument === '--help' || argument === '-h')) {
  console.log(HELP)
} else {
  for (const program of pinnedPrograms(ROOT)) {
    const published = await publishProgram(program)
    console.log(`${program.name}@${program.version}: ${published ? 'published' : 'the registry has it already'}`)
  }
}
