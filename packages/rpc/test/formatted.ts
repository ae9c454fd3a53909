import { execFileSync } from 'node:child_process'

const root = new URL('../../../', import.meta.url).pathname

/** Formats a generated source. `name` is the name of its file. */
export function formatted(source: string, name: string): string {
  return execFileSync(`${root}node_modules/.bin/biome`, ['format', `--stdin-file-path=${name}`], {
    input: source,
    encoding: 'utf8',
    cwd: root,
  })
}
