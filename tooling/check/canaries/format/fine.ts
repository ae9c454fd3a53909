export const a = 'x'
