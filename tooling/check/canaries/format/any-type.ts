export const a: any = 1
