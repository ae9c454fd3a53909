import '@org/p2p'

export const planted = 'files that use the network'
