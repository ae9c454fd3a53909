export const isNumber = (text: string): boolean => /^[1-9]\d*$/.test(text)
