import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { foldersWithEntries } from '@org/build'

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

/**
 * Writes the declarations of all published packages into `output`, at the same paths as their sources. The compiler
 * runs once for all packages. This is three times as fast as a separate run for each package.
 */
export function emitDeclarations(root: string, output: string): void {
  const sources = foldersWithEntries(root).map((folder) => join(root, folder, 'src'))
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      rootDir: root,
      outDir: output,
      emitDeclarationOnly: true,
      sourceMap: false,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    include: sources,
    exclude: sources.map((folder) => `${folder}/**/*.test.ts`),
  }
  const path = join(output, 'tsconfig.json')
  writeFileSync(path, JSON.stringify(config))
  execFileSync(process.execPath, [tsc, '-p', path])
}
