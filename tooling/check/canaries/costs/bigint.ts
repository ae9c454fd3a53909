export const numberOf = (text: string): bigint => BigInt(text)
