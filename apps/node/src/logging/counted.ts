/** Returns a number with its noun, such as `1 peer` or `2 peers`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
