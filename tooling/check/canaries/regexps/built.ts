export const has = (text: string, word: string): boolean => new RegExp(`${word}+$`).test(text)
