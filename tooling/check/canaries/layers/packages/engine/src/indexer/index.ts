import '../network/index.ts'

export const planted = 'an index that uses the network'
