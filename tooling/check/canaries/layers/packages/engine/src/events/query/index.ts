import '../../mempool/index.ts'

export const planted = 'queries that use the mempool'
