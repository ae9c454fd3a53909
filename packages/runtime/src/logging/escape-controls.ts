/**
 * Matches all control characters, also those from U+0080 to U+009F. Terminals understand U+009B like ESC and `[`. The
 * controls of the writing direction (`Bidi_Control`) match too: they change the order in which a terminal shows the
 * characters of a line, so a text could look like another text.
 */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu
const CONTROLS_IN_LINES = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Returns a text that has an escape, such as `\u001b`, in place of each control character. A text of a stranger could
 * otherwise change what the terminal shows.
 */
export const escapeControls = (text: string): string => text.replace(CONTROLS, escaped)

/** Escapes all control characters except newlines and tabs. */
export const escapeControlsInLines = (text: string): string => text.replace(CONTROLS_IN_LINES, escaped)
