import '../consensus/machine/index.ts'

export const planted = 'storage that uses consensus'
