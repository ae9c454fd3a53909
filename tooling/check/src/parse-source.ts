import { parseAst } from 'rolldown/parseAst'

/** Parses a source file: TypeScript, or TypeScript with JSX, which reads `<T>(…) =>` in another way. */
export function parseSource(text: string): ReturnType<typeof parseAst> {
  try {
    return parseAst(text, { lang: 'ts' })
  } catch {
    return parseAst(text, { lang: 'tsx' })
  }
}
