import { parseAst } from 'rolldown/parseAst'

/** Parses a source file as TypeScript, or else as TypeScript with JSX, in which `<T>(…) =>` has another meaning. */
export function parseSource(text: string): ReturnType<typeof parseAst> {
  try {
    return parseAst(text, { lang: 'ts' })
  } catch {
    return parseAst(text, { lang: 'tsx' })
  }
}
