import '../../../packages/engine/src/store/index.ts'
import '@org/rpc'

export const planted = 'a tool that reaches into a package'
