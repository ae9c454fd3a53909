import { rmSync } from 'node:fs'

/** The first step of the build of a published package: removes the files of the last build in its folder. */
rmSync('dist', { recursive: true, force: true })
