import '../network/index.ts'

export const planted = 'rules that use the network'
