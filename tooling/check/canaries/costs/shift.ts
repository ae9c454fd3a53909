export const double = (value: bigint, bits: bigint): bigint => value * (1n << bits)
