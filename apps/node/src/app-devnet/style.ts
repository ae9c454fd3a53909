import { styleText } from 'node:util'

/** Functions that colour a text for a terminal. If the output is not a terminal, they return the text unchanged. */
export interface Style {
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly dim: (text: string) => string
  readonly strong: (text: string) => string
}

export function createStyle(isColored: boolean): Style {
  const as =
    (format: Parameters<typeof styleText>[0]) =>
    (text: string): string =>
      isColored ? styleText(format, text, { validateStream: false }) : text
  return { good: as('green'), bad: as('red'), dim: as('dim'), strong: as('bold') }
}
