const LIMIT = 2n ** 63n - 1n
export const isSmall = (list: readonly number[]): boolean => BigInt(list.length) + BigInt(Math.min(4, 5)) < LIMIT
export const all = (list: readonly number[]): number[] => [...list, Math.max(...[1, 2])]
