import { parseAst } from 'rolldown/parseAst'

/**
 * Parses a source file as TypeScript. If this fails, parses it as TypeScript with JSX. JSX is not tried first,
 * because `<T>(…) =>` has another meaning in it.
 */
export function parseSource(text: string): ReturnType<typeof parseAst> {
  try {
    return parseAst(text, { lang: 'ts' })
  } catch {
    return parseAst(text, { lang: 'tsx' })
  }
}
