import { escapeControls } from '@org/runtime'

/** The default maximum number of characters that are shown of one text. */
const SHOWN = 200

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}...` : text)

/** Returns the first `max` characters of a text of an application or of another node. Escapes control characters. */
export const shownText = (text: string, max: number = SHOWN): string => escapeControls(cut(text, max))

/** Does the same as {@link shownText}, and puts the text into quotes. */
export const quotedText = (text: string, max: number = SHOWN): string => escapeControls(JSON.stringify(cut(text, max)))
