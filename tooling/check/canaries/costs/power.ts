export const scale = (digits: bigint, power: bigint): bigint => digits * 10n ** power
