export const all = (values: AsyncIterable<number>): Promise<number[]> => Array.fromAsync(values)
