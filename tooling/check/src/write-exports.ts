import { writeExports } from './exports.ts'

writeExports(new URL('../../../', import.meta.url).pathname)
