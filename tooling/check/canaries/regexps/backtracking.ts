export const isWords = (text: string): boolean => /^(\w+\s?)+$/.test(text)
