export const why = (key: string) => `the text ${key} is a key that is none`
