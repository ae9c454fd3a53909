import '@org/p2p'

export const planted = 'rules of consensus that use the network'
