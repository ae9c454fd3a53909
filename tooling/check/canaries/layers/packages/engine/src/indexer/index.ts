import '../p2p/index.ts'

export const planted = 'an index that uses the network'
